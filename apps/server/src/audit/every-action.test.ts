import { auditActions, type AuditAction } from '@veridict/contract/model/audit-action'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UserRow } from '#platform/database/tables.ts'
import { expireStorageErrors } from '#submissions/expire-storage-errors.ts'
import { buildDictionary, buildUser, testPassword } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { ingestSubmission, validateSubmission } from '#test/run-submission.ts'
import { uploadForm } from '#test/upload-form.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

type Entry = { action: AuditAction; subject: string; actorId: number | null; companyId: number | null }
let seen = 0

/** The entries since the last time, without those of the test's own logins. */
async function newEntries() {
  const entries = await portal.deps.db
    .selectFrom('auditEntries')
    .selectAll()
    .where('id', '>', seen)
    .orderBy('id')
    .execute()
  seen = entries.at(-1)?.id ?? seen
  return entries
}

const byAdministrator = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => portal.call(method, url, { as: portal.administrator, body, headers })

const running = new AbortController().signal
/** What an entry of every action looks like, after a call that causes it. */
const covered = new Set<string>()

async function expectEntries(...expected: (Partial<Entry> & { action: AuditAction; detail?: unknown })[]) {
  const entries = await newEntries()
  expect(entries).toMatchObject(expected)
  for (const { action } of entries) covered.add(action)
}

const idOf = (response: { json(): { value: { id: number } } }) => response.json().value.id

describe('The audit trail', () => {
  let clerk: UserRow
  let companyId = 0
  const [people, actor] = [{} as { id: number }, () => portal.administrator.id]

  it('has an entry for each change of a company and a user', async () => {
    const form = { name: 'Audited', containerName: 'audited', address: 'Road 1' }
    companyId = idOf(await byAdministrator('POST', '/api/Company', form))
    await expectEntries({ action: 'company.created', subject: 'Audited', actorId: actor(), companyId })
    await byAdministrator('PUT', `/api/Company/${companyId}`, { ...form, address: 'Road 2' })
    await expectEntries({
      action: 'company.updated',
      companyId,
      detail: { before: { address: 'Road 1' }, after: { address: 'Road 2' } },
    })
    const user = { name: 'Ann', email: 'ann@example.test', phone: '1', companyId, isSuperAdmin: false }
    people.id = idOf(await byAdministrator('POST', '/api/User', user))
    await expectEntries(
      { action: 'user.created', subject: 'ann@example.test', actorId: actor(), companyId },
      { action: 'link.sent', subject: 'ann@example.test', detail: { after: { purpose: 'invitation' } } },
    )
    const changed = { id: people.id, name: 'Ann B', email: 'ann@example.test', phone: '1' }
    await byAdministrator('PUT', `/api/User/${people.id}`, changed)
    await expectEntries({
      action: 'user.updated',
      detail: { before: { name: 'Ann' }, after: { name: 'Ann B' } },
    })
  })

  it('has an entry for each list of people and each person that somebody looked at', async () => {
    const urls = ['/api/User', `/api/Company/${companyId}/users`, `/api/User/${people.id}`]
    for (const url of [...urls, '/api/User?PageNumber=2', ...urls]) await byAdministrator('GET', url)
    const viewed = { action: 'people.viewed', actorId: actor() } as const
    await expectEntries(
      { ...viewed, subject: 'Administrators', companyId: null },
      { ...viewed, subject: 'Audited', companyId },
      { ...viewed, subject: 'ann@example.test', companyId },
    )
  })

  it('has an entry for each login, ended session, link and new password', async () => {
    clerk = await buildUser(portal.deps.db, { companyId, email: 'cleo@example.test' })
    const token = await portal.tokenOf(clerk)
    await portal.call('POST', '/api/Login', { body: { email: clerk.email, password: testPassword } })
    await portal.call('POST', '/api/Login', { body: { email: clerk.email, password: 'Wrong-Horse-1' } })
    await expectEntries(
      { action: 'login.succeeded', actorId: clerk.id, companyId },
      { action: 'login.failed', subject: clerk.email, actorId: null, companyId },
    )
    await portal.call('DELETE', '/api/Session', { as: token })
    await expectEntries({ action: 'session.ended', subject: clerk.email, actorId: clerk.id })
    await portal.call('GET', '/api/Logout', { as: token })
    await expectEntries({ action: 'session.ended', detail: { after: { reason: 'logged out', sessions: 1 } } })
    await portal.tokenOf(clerk)
    await byAdministrator('POST', '/api/User/resetpassword', { userId: clerk.id })
    await expectEntries(
      {
        action: 'link.sent',
        subject: clerk.email,
        actorId: actor(),
        detail: { after: { purpose: 'reset' } },
      },
      { action: 'session.ended', subject: clerk.email, actorId: actor() },
    )
    await portal.call('POST', '/api/Login/forgotpassword', { body: { email: clerk.email } })
    await expectEntries({ action: 'link.sent', subject: clerk.email, actorId: null, companyId })
    const mail = await portal.deps.db.selectFrom('mails').selectAll().orderBy('id', 'desc').executeTakeFirst()
    const link = /token=([\w-]+)/.exec(mail?.textBody ?? '')?.[1]
    const body = { email: clerk.email, token: link, newPassword: 'Other-Horse-22' }
    await portal.call('POST', '/api/User/setpassword', { body })
    await expectEntries({ action: 'password.set', subject: clerk.email, actorId: clerk.id, companyId })
  })

  it('has an entry for each change of a dictionary and its fields', async () => {
    const [dictionary, field] = ['/api/DataDictionary', '/api/DataDictionary/Item']
    const id = idOf(await byAdministrator('POST', dictionary, { name: 'Claims A' }))
    await expectEntries({ action: 'dictionary.created', subject: 'Claims A', actorId: actor() })
    const form = {
      dataDictionaryId: id,
      itemName: 'Amount',
      description: '',
      category: '',
      ruleType: 1,
      isRequired: true,
      ruleConfig: '{"scale":2}',
    }
    const itemId = idOf(await byAdministrator('POST', field, form))
    await expectEntries({
      action: 'field.created',
      subject: 'Claims A: Amount',
      detail: { after: { type: 'number', scale: 2, required: true } },
    })
    await byAdministrator('PUT', `${field}/${itemId}`, { ...form, ruleConfig: '{"scale":3}' })
    await expectEntries({ action: 'field.updated', detail: { before: { scale: 2 }, after: { scale: 3 } } })
    const second = idOf(await byAdministrator('POST', field, { ...form, itemName: 'Net' }))
    const order = [
      { itemId: second, position: 1 },
      { itemId, position: 2 },
    ]
    await byAdministrator('PUT', `${dictionary}/${id}/Item/change-order`, { itemPositionList: order })
    await expectEntries(
      { action: 'field.created' },
      {
        action: 'dictionary.updated',
        detail: { before: { order: ['Amount', 'Net'] }, after: { order: ['Net', 'Amount'] } },
      },
    )
    for (const [name, value] of [['Positive', '1'], ['Positive', '2'], ['Above 3', '3'], []]) {
      const then = [{ column: 'Amount', is: 'more', than: { value } }]
      const rules = name === undefined ? [] : [{ name, severity: 'error', then }]
      await byAdministrator('PUT', `${dictionary}/${id}/Rules`, { rules })
    }
    const sentence = (value: string) => ({ rule: `"Amount" is more than "${value}" (if filled).` })
    const subject = 'Claims A: Positive'
    await expectEntries(
      { action: 'rule.created', subject, detail: { after: { ...sentence('1'), severity: 'error' } } },
      { action: 'rule.updated', subject, detail: { before: sentence('1'), after: sentence('2') } },
      {
        action: 'rule.updated',
        subject: 'Claims A: Above 3',
        detail: {
          before: { ...sentence('2'), name: 'Positive' },
          after: { ...sentence('3'), name: 'Above 3' },
        },
      },
      { action: 'rule.deleted', subject: 'Claims A: Above 3', detail: { before: sentence('3') } },
    )
    await byAdministrator('POST', `${dictionary}/${id}/Impact`, { blankTexts: ['n/a'] })
    const tried = { after: { changed: ['blankTexts'] } }
    await expectEntries({ action: 'impact.tried', subject: 'Claims A', actorId: actor(), detail: tried })
    await byAdministrator('DELETE', `${dictionary}/${id}/Item/${second}`)
    await byAdministrator('PUT', `${dictionary}?id=${id}`, { name: 'Claims B' })
    await byAdministrator('POST', `${dictionary}/copy/${id}`, { name: 'Claims C' })
    await byAdministrator('POST', '/api/Company/datadictionary', { companyId, dataDictionaryId: id })
    await byAdministrator('DELETE', `/api/Company/${companyId}/datadictionary/${id}`)
    await byAdministrator('DELETE', `${dictionary}/${id}`)
    await expectEntries(
      { action: 'field.deleted', subject: 'Claims A: Net', detail: { before: { name: 'Net' } } },
      {
        action: 'dictionary.updated',
        subject: 'Claims A',
        detail: { before: { name: 'Claims A' }, after: { name: 'Claims B' } },
      },
      { action: 'dictionary.created', subject: 'Claims C', detail: { after: { copyOf: 'Claims B' } } },
      { action: 'dictionary.associated', subject: 'Claims B', companyId },
      { action: 'dictionary.removed', subject: 'Claims B', companyId },
      { action: 'dictionary.deleted', subject: 'Claims B', companyId: null },
    )
  })

  it('has an entry for each upload, verdict, download, retry and purge of a file', async () => {
    const { deps } = portal
    const { id: dataDictionaryId } = await buildDictionary(deps.db, { companyId })
    const upload = async (content: string) => {
      const form = await uploadForm(['dataDictionaryId', `${dataDictionaryId}`], ['file', content, 'may.csv'])
      return idOf(await portal.call('POST', '/api/FileSubmission', { as: clerk, ...form }))
    }
    const faulty = await upload('Name,Amount\nAda,secret-cell\n')
    await validateSubmission(faulty, deps, running)
    for (const page of [1, 2, 1])
      await portal.call('GET', `/api/FileSubmission/${faulty}/Errors?pageNumber=${page}`, { as: clerk })
    const row = `/api/ValidationError/${faulty}/ValidationErrorItems?rowNumber=2`
    await portal.call('GET', row, { as: clerk })
    await portal.call('GET', `/api/ErrorFile/${faulty}/Highlighted`, { as: clerk })
    await portal.call('GET', `/api/ErrorFile/${faulty}/Corrected`, { as: clerk })
    await portal.call('GET', `/api/ErrorFile/${faulty}/Source`, { as: clerk })
    const entries = await newEntries()
    const ofFile = { subject: 'may.csv', companyId }
    expect(entries).toMatchObject([
      { action: 'file.uploaded', ...ofFile, actorId: clerk.id },
      { action: 'file.verdict', ...ofFile, actorId: null, detail: { after: { verdict: 'rowErrors' } } },
      { action: 'file.viewed', ...ofFile, actorId: clerk.id, detail: { after: { submission: faulty } } },
      { action: 'file.downloaded', ...ofFile, detail: { after: { kind: 'highlighted' } } },
      { action: 'file.downloaded', ...ofFile, detail: { after: { kind: 'corrected' } } },
      { action: 'file.downloaded', ...ofFile, detail: { after: { kind: 'source' } } },
    ])
    expect(JSON.stringify(entries)).not.toContain('secret-cell')
    for (const { action } of entries) covered.add(action)

    const answers = `/api/DataDictionary/${dataDictionaryId}/Answers`
    const answer = { column: null, kind: 'columnsRenamed' }
    const map = { 'secret-cell': 'Amount' }
    await portal.call('PUT', answers, { as: clerk, body: { ...answer, map } })
    const [{ id: answerId } = { id: 0 }] = (await portal.call('GET', answers, { as: clerk })).json().value
    await portal.call('DELETE', `${answers}/${answerId}`, { as: clerk })
    await expectEntries(
      {
        action: 'answer.remembered',
        actorId: clerk.id,
        companyId,
        detail: { after: { kind: 'columnsRenamed' } },
      },
      {
        action: 'answer.forgotten',
        actorId: clerk.id,
        companyId,
        detail: { before: { kind: 'columnsRenamed' } },
      },
    )

    const passed = await upload('Name,Amount\nAda,1\n')
    await validateSubmission(passed, deps, running)
    await newEntries()
    const failure = { status: 5 as const, createdAt: sql<Date>`now() - interval '91 days'` }
    await deps.db.updateTable('submissions').set(failure).where('id', '=', passed).execute()
    const body = { FileId: passed }
    await portal.call('POST', '/api/FileSubmission/retryingestionupload', { as: clerk, body })
    await expectEntries({ action: 'file.retried', ...ofFile, actorId: clerk.id })
    await deps.db.updateTable('submissions').set(failure).where('id', '=', passed).execute()
    await byAdministrator('POST', '/api/Admin/Operation/RetryStorage', { companyId })
    await expectEntries({ action: 'operation.retried', companyId, detail: { after: { retried: 1 } } })
    const message = 'Back at noon.'
    await byAdministrator('POST', '/api/Admin/Operation/Maintenance', { on: true, message })
    await byAdministrator('POST', '/api/Admin/Operation/Maintenance', { on: false })
    await expectEntries(
      { action: 'operation.maintenance', actorId: actor(), detail: { after: { message } } },
      { action: 'operation.maintenance', detail: { before: { message }, after: { message: null } } },
    )
    await byAdministrator('POST', `/api/Company/${companyId}/Pause`, { on: true })
    const paused = { before: { paused: false }, after: { paused: true } }
    await expectEntries({ action: 'company.paused', companyId, actorId: actor(), detail: paused })
    await byAdministrator('POST', `/api/Company/${companyId}/Pause`, { on: false })
    await newEntries()
    await expireStorageErrors(deps)
    await expectEntries({ action: 'file.purged', ...ofFile, actorId: null })
    await ingestSubmission(passed, deps, running)
  })

  it('has an entry for each deleted user and company', async () => {
    await byAdministrator('DELETE', `/api/User/${people.id}`)
    await expectEntries({ action: 'user.deleted', subject: 'ann@example.test', actorId: actor(), companyId })
    await byAdministrator('DELETE', `/api/Company/${companyId}`)
    await expectEntries(
      { action: 'company.deleted', subject: 'Audited', companyId },
      { action: 'user.deleted', subject: clerk.email, companyId },
    )
  })

  it('has an entry for every action that exists', () => {
    const others: AuditAction[] = [
      'token.created',
      'token.revoked',
      'webhook.set',
      'retention.changed',
      'audit.expired',
    ]
    expect([...covered].toSorted()).toEqual(
      auditActions.filter((action) => !others.includes(action)).toSorted(),
    )
  })

  it('has no password and no token', async () => {
    const { rows } = await sql<{ text: string }>`select e::text as text from audit_entries e`.execute(
      portal.deps.db,
    )
    const text = rows.map((row) => row.text).join('\n')
    for (const secret of ['Wrong-Horse-1', 'Other-Horse-22', testPassword, 'token=', '$argon2'])
      expect(text).not.toContain(secret)
  })
})
