import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ruleNumbers } from '@veridict/contract/api/wire-field'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import type { RowRule } from '@veridict/contract/model/row-rule'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteOldReports } from '#submissions/row-reports.ts'
import { buildAccessToken, buildUser } from '#test/factories.ts'
import { findRow } from '#test/submission-fixture.ts'
import { until } from '#test/until.ts'
import { buildUploader, type Uploader } from '#test/uploader.ts'
import { startWholePortal, type WholePortal } from '#test/whole-portal.ts'

const fields = [
  { itemName: 'Id', isRequired: true },
  { itemName: 'Reason', isRequired: false },
  { itemName: 'Paid', ruleType: ruleNumbers.number, isRequired: false },
]
const warning = (name: string, then: RowRule['then']): RowRule => ({ name, severity: 'warning', then })
const rules: RowRule[] = [
  warning('High', [{ column: 'Paid', is: 'atMost', than: { value: '100' } }]),
  warning('Reason', [{ column: 'Reason', is: 'filled' }]),
  { name: 'Key', severity: 'error', then: [{ columns: ['Id'], is: 'unique' }] },
]
/** Row 2 has no warning, rows 3 and 4 have one, row 5 has two. */
const accepted = 'Id,Reason,Paid\n1,why,1\n2,,1\n3,,1\n4,,101\n'
const refused = `${accepted}4,,500\n`

let portal: WholePortal
let uploader: Uploader
let asAdministrator: Record<string, string>
beforeAll(async () => {
  portal = await startWholePortal()
  const { deps } = portal
  uploader = await buildUploader(deps.db, { fields })
  const administrator = await buildUser(deps.db, { companyId: null, role: 'superAdmin' })
  asAdministrator = {
    ...uploader.headers,
    authorization: `Bearer ${await buildAccessToken(deps, administrator)}`,
  }
  await fetch(`${portal.address}/api/DataDictionary/${uploader.dictionaryId}/Rules`, {
    method: 'PUT',
    headers: { ...asAdministrator, 'content-type': 'application/json' },
    body: JSON.stringify({ rules }),
  })
})
afterAll(() => portal.close())

const get = (path: string, headers: Record<string, string> = uploader.headers) =>
  fetch(`${portal.address}/api/${path}`, { headers })
const valueOf = async (path: string) => ((await (await get(path)).json()) as { value: any }).value

async function submit(content: string, fileName = 'claims.csv') {
  const id = await uploader.upload(portal, fileName, content)
  await until(async () => (await findRow(portal.deps.db, id)).settledAt !== null)
  return id
}

async function sheetsOf(id: number): Promise<{ names: string[]; text: string }> {
  const response = await get(`ErrorFile/${id}/Simple`)
  const parts = Object.entries(unzipSync(new Uint8Array(await response.arrayBuffer())))
  const book = strFromU8(parts.find(([name]) => name === 'xl/workbook.xml')![1])
  const names = [...book.matchAll(/<sheet name="([^"]*)"/g)].map(([, name]) => name!)
  return { names, text: parts.map(([, part]) => strFromU8(part)).join('') }
}

describe('An accepted file with warnings', () => {
  it('has them in the history, in its report and for each cause', async () => {
    const id = await submit(accepted)
    expect(await findRow(portal.deps.db, id)).toMatchObject({ status: 4, errorRowCount: null })
    const history = await valueOf('FileSubmission')
    expect(history.data[0]).toMatchObject({ id, status: 4, errorRowCount: null, warningRowCount: 3 })

    const report = await valueOf(`FileSubmission/${id}/Errors`)
    expect(report).toMatchObject({ errorType: null, errorMessage: null, fileProblem: null, recordsCount: 4 })
    expect(report).toMatchObject({ errorRowCount: 0, cellErrorCount: 0, rows: { data: [], totalPages: 0 } })
    expect(report).toMatchObject({ warningCount: 4, warningRowCount: 3, causesCount: 2 })
    expect(report.causes).toMatchObject([
      { kind: 'rule', rule: 'Reason', severity: 'warning', cells: 3, rows: 3, firstRow: 3 },
      { kind: 'rule', rule: 'High', severity: 'warning', cells: 1, rows: 1, firstRow: 5 },
    ])
    const reason = { label: 'Reason', rule: 'Reason', columns: ['B'], columnPosition: 'B', value: '' }
    expect(report.warningRows).toMatchObject({
      totalPages: 1,
      totalCount: 3,
      data: [
        { rowNumber: 3, totalCount: 1, columnValidationErrors: [reason] },
        { rowNumber: 4, totalCount: 1, columnValidationErrors: [reason] },
        // In the order of the rules, although fewer cells have the first one.
        { rowNumber: 5, totalCount: 2, columnValidationErrors: [{ rule: 'High', value: '101' }, reason] },
      ],
    })
    const ofCause = await valueOf(`FileSubmission/${id}/Errors?cause=${report.causes[1].id}`)
    expect(ofCause.rows).toMatchObject({ totalCount: 1, data: [{ rowNumber: 5, totalCount: 1 }] })
    expect((await get(`FileSubmission/${id}/Errors?cause=rule.Key`)).status).toBe(404)

    const second = await valueOf(`FileSubmission/${id}/Errors?PageNumber=2&PageSize=2`)
    expect(second.warningRows).toMatchObject({ totalPages: 2, totalCount: 3, data: [{ rowNumber: 5 }] })
    const items = (row: number) => get(`ValidationError/${id}/ValidationErrorItems?rowNumber=${row}`)
    expect(((await (await items(5)).json()) as { value: object }).value).toMatchObject({
      totalCount: 2,
      data: [{ rule: 'High' }, { rule: 'Reason' }],
    })
    expect((await items(2)).status).toBe(404)
  })

  it('has error files with the warnings on a sheet of their own, and no corrected copy', async () => {
    const id = await submit(accepted)
    const { names, text } = await sheetsOf(id)
    expect(names).toEqual(['Errors', 'Summary', 'Warnings'])
    expect(text).toContain('must be at most')
    expect((await get(`ErrorFile/${id}/Highlighted`)).status).toBe(200)
    expect((await get(`ErrorFile/${id}/Corrected`)).status).toBe(404)
  })

  it('has no error files once the file in the folder of the company is another one', async () => {
    const id = await submit(accepted)
    const { targetPath } = await findRow(portal.deps.db, id)
    await writeFile(join(portal.deps.env.storageUrl, targetPath!), 'another file')
    const response = await get(`ErrorFile/${id}/Simple`)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ message: submissionMessages.sourceGone })
  })

  it('says so in its e-mail, and links to its report; its receipt does not change', async () => {
    const id = await submit(accepted, 'mailed.csv')
    const folder = join(portal.dataDir, 'outbox')
    const sent = async () => {
      const names = await readdir(folder).catch(() => [])
      const mails = names.filter((name) => name.endsWith('.eml')).map((name) => readFile(join(folder, name)))
      // Without the line breaks of its encoding.
      const texts = (await Promise.all(mails)).map((mail) => mail.toString().replaceAll('=\r\n', ''))
      return texts.find((text) => text.includes('mailed.csv'))
    }
    await until(async () => (await sent()) !== undefined)
    const mail = await sent()
    expect(mail).toContain('Subject: Accepted: mailed.csv (4 records)')
    expect(mail).toContain(submissionMessages.mailWarnings(3))
    expect(mail).toContain(`/home/fileError/${id}`)
    expect(JSON.stringify(await valueOf(`FileSubmission/${id}/Receipt`))).not.toContain('arning')
  })

  it('keeps the numbers, but not the values, for a limited time', async () => {
    const id = await submit(accepted)
    const old = { settledAt: new Date(Date.now() - 3 * 24 * 60 * 60 * 1000) }
    await portal.deps.db.updateTable('submissions').set(old).where('id', '=', id).execute()
    expect(await deleteOldReports(portal.deps.db, 2)).toBe(1)
    expect(await valueOf(`FileSubmission/${id}/Errors`)).toMatchObject({
      warningRowCount: 3,
      causes: [],
      warningRows: { data: [], totalCount: 0 },
    })
    expect(await deleteOldReports(portal.deps.db, 2)).toBe(0)
  })
})

describe('A file with errors and warnings', () => {
  it('is refused for its errors alone, which the warnings do not change', async () => {
    const id = await submit(refused)
    expect(await findRow(portal.deps.db, id)).toMatchObject({
      status: 2,
      errorRowCount: 1,
      cellErrorCount: 1,
      warningCount: 6,
      warningRowCount: 4,
      causesCount: 1,
    })
    const report = await valueOf(`FileSubmission/${id}/Errors`)
    expect(report).toMatchObject({ errorType: 0, errorRowCount: 1, warningCount: 6, warningRowCount: 4 })
    expect(report.causesCount).toBe(3)
    expect(report.causes).toMatchObject([
      { rule: 'Key', severity: 'error', cells: 1 },
      { rule: 'Reason', severity: 'warning', cells: 4 },
      { rule: 'High', severity: 'warning', cells: 2 },
    ])
    expect(report.rows.data).toMatchObject([{ rowNumber: 6, totalCount: 1 }])
    expect(report.warningRows.data).toHaveLength(4)
    expect((await sheetsOf(id)).names).toEqual(['Errors', 'Summary', 'Warnings'])
    const items = await valueOf(`ValidationError/${id}/ValidationErrorItems?rowNumber=6`)
    expect(items).toMatchObject({ totalCount: 1, data: [{ rule: 'Key' }] })
  })
})

describe('The failures of a rule', () => {
  it('include its warnings', async () => {
    const path = `DataDictionary/${uploader.dictionaryId}/RuleFailures`
    const failures = async () =>
      ((await (await get(path, asAdministrator)).json()) as { value: any }).value.rules
    const cellsOf = (found: { name: string; cells: number }[]) =>
      found.find(({ name }) => name === 'High')?.cells ?? 0
    const before = cellsOf(await failures())
    await submit(accepted)
    expect(cellsOf(await failures())).toBe(before + 1)
  })
})

describe('A file that was validated before warnings were counted', () => {
  it('has no number of them, rather than none', async () => {
    const id = await submit(accepted)
    const uncounted = { warningCount: null, warningRowCount: null }
    await portal.deps.db.updateTable('submissions').set(uncounted).where('id', '=', id).execute()
    expect(await valueOf(`FileSubmission/${id}/Errors`)).toMatchObject({ ...uncounted, errorRowCount: 0 })
  })
})

describe('A file without warnings', () => {
  it('has a report when it is accepted, which says so, and no error files', async () => {
    const id = await submit('Id,Reason,Paid\n1,why,1\n')
    expect(await valueOf(`FileSubmission/${id}/Errors`)).toMatchObject({
      errorType: null,
      warningCount: 0,
      warningRowCount: 0,
      causes: [],
      causesCount: 0,
    })
    expect((await get(`ErrorFile/${id}/Simple`)).status).toBe(404)
  })
})
