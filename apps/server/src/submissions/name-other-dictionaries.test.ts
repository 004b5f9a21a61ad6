import { ErrorType } from '@veridict/contract/model/verdict'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nameOtherDictionaries } from '#submissions/name-other-dictionaries.ts'
import { buildDictionary, buildUser, findPresentVersionId } from '#test/factories.ts'
import { buildStoredSubmission } from '#test/submission-fixture.ts'
import { validateSubmission } from '#test/run-submission.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
let companyId: number

beforeAll(async () => {
  portal = await createTestApp()
  companyId = portal.clerk.companyId ?? 0
})
afterAll(() => portal.close())
beforeEach(() => sql`truncate dictionaries, submissions, mails cascade`.execute(portal.owner))

const dictionary = (name: string, fields: string, owner = companyId) =>
  buildDictionary(portal.deps.db, {
    name,
    companyId: owner,
    fields: fields.split(',').map((itemName) => ({ itemName, isRequired: false })),
  })

const claimFields = 'Claim ID,Patient,Amount,Paid on'
const memberFields = 'Member ID,First name,Last name,City,Country'

/** The report of a file that was checked with a dictionary of claims. */
async function reportOf(content: string) {
  const version = await findPresentVersionId(portal.deps.db, await dictionary('Claims', claimFields))
  const { id } = await buildStoredSubmission(
    portal.deps,
    { userId: portal.clerk.id, companyId, dictionaryVersionId: version, fileName: 'file.csv' },
    content,
  )
  await validateSubmission(id, portal.deps, new AbortController().signal)
  return { id, ...(await read(id)) }
}

const read = async (id: number) => {
  const response = await portal.call('GET', `/api/FileSubmission/${id}/Errors`, { as: portal.clerk })
  return response.json().value
}

/** The sentence that names other dictionaries, in `errorMessage` too; null without one. */
const looksLike = ({ errorMessage, fileProblem }: Awaited<ReturnType<typeof reportOf>>) => {
  const hint = fileProblem.hints.find((text: string) => text.startsWith('This looks like')) ?? null
  expect(errorMessage.includes('This looks like')).toBe(hint !== null)
  return hint && /^This looks like (.*): choose/.exec(hint)?.[1]
}

describe('A file made for another dictionary of the company', () => {
  it('names the one that it fits, and what each column differs in', async () => {
    const members = await dictionary('Members', memberFields)
    await dictionary('Providers', 'NPI,Provider,City,Country')
    const report = await reportOf(`${memberFields}\n1,Ann,Lee,Rome,IT\n`)
    expect(looksLike(report)).toBe('"Members"')
    expect(report.fileProblem.otherDictionaries).toEqual([{ id: members.id, name: 'Members' }])
    expect(report.columns[0]).toEqual({
      position: 'A',
      expected: 'Claim ID',
      found: 'Member ID',
      note: 'The data dictionary has no such column.',
    })
  })

  it('is kept without the values of its columns', async () => {
    const { id } = await reportOf(`Nr,Patient,Amount,Paid on\nZoë,2,3,4\n`)
    const stored = await portal.deps.db
      .selectFrom('submissions')
      .where('id', '=', id)
      .select('fileProblem')
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).toContain('"Nr"')
    expect(JSON.stringify(stored)).not.toContain('Zoë')
  })

  it.for<{ why: string; others: Record<string, string>; file: string; names: string | null }>([
    {
      why: 'one of two that are alike',
      others: { Members: memberFields, 'Members with e-mail': `${memberFields},E-mail` },
      file: `${memberFields},E-mail`,
      names: '"Members with e-mail"',
    },
    {
      why: 'two with the same columns',
      others: { 'Members A': memberFields, 'Members B': memberFields },
      file: memberFields,
      names: '"Members A" or "Members B"',
    },
    {
      why: 'one that it nearly fits',
      others: { Members: memberFields },
      file: 'Member ID,First name,Surname,City,Country',
      names: '"Members"',
    },
    {
      why: 'none, where two are equally near',
      others: { 'Members A': `${memberFields},A`, 'Members B': `${memberFields},B` },
      file: memberFields,
      names: null,
    },
    {
      why: 'none, where its own dictionary is as near',
      others: { Other: 'Claim ID,Patient,Amount,Booked' },
      file: 'Claim ID,Patient,Amount,Extra',
      names: null,
    },
    {
      why: 'none, where only half of the columns are alike',
      others: { Providers: 'NPI,Provider,City,Country' },
      file: 'Shop,Owner,City,Country',
      names: null,
    },
    {
      why: 'one with the same columns in the order of the file',
      others: { 'Claims by amount': 'Amount,Claim ID,Patient,Paid on' },
      file: 'Amount,Claim ID,Patient,Paid on',
      names: '"Claims by amount"',
    },
    {
      why: 'none, where the columns are only in another order',
      others: { 'Claims by amount': 'Amount,Claim ID,Patient,Paid on' },
      file: 'Patient,Claim ID,Amount,Paid on',
      names: null,
    },
    {
      why: 'none, where the first row is data',
      others: { Odd: '2024-01-05,2024-01-06,3.5,4.5' },
      file: '2024-01-05,2024-01-06,3.5,4.5',
      names: null,
    },
  ])('names $why', async ({ others, file, names }) => {
    for (const [name, fields] of Object.entries(others)) await dictionary(name, fields)
    expect(looksLike(await reportOf(`${file}\n`))).toBe(names)
  })

  it('is named before the upload as well, with and without a chosen dictionary', async () => {
    const members = await dictionary('Members', memberFields)
    const claims = await dictionary('Claims', claimFields)
    const fitting = async (labels: string[], dataDictionaryId?: number) => {
      const body = { labels, dataDictionaryId }
      const response = await portal.call('POST', '/api/DataDictionary/Fitting', { as: portal.clerk, body })
      return response.json().value
    }
    const named = [{ id: members.id, name: 'Members' }]
    expect(await fitting(memberFields.split(','))).toEqual(named)
    expect(await fitting(memberFields.split(','), claims.id)).toEqual(named)
    expect(await fitting(memberFields.split(','), members.id)).toEqual([])
    expect(await fitting(['Shop'])).toEqual([])
  })

  it('never names a dictionary that the company may not use', async () => {
    const otherCompany = (await buildUser(portal.deps.db)).companyId ?? 0
    await dictionary('Secret', memberFields, otherCompany)
    const deleted = await dictionary('Deleted', memberFields)
    await portal.deps.db
      .updateTable('dictionaries')
      .set({ deletedAt: new Date() })
      .where('id', '=', deleted.id)
      .execute()
    const report = await reportOf(`${memberFields}\n1,Ann,Lee,Rome,IT\n`)
    expect(looksLike(report)).toBeNull()
    expect(JSON.stringify(report)).not.toMatch(/Secret|Deleted/)
  })

  it('offers no dictionary that was taken from the company later', async () => {
    const members = await dictionary('Members', memberFields)
    const { id, fileProblem } = await reportOf(`${memberFields}\n`)
    expect(fileProblem.otherDictionaries).toHaveLength(1)
    await portal.deps.db.deleteFrom('companyDictionaries').where('dictionaryId', '=', members.id).execute()
    expect((await read(id)).fileProblem.otherDictionaries).toEqual([])
  })

  it('compares names that PostgreSQL cannot keep', async () => {
    await dictionary('Members', memberFields)
    const version = await findPresentVersionId(portal.deps.db, await dictionary('Claims', claimFields))
    const problem = { errorType: ErrorType.Columns, message: 'The columns do not match.', details: [] }
    const labels = [...memberFields.split(','), 'half of a pair: \ud800', 'NUL: \0']
    const verdict = await nameOtherDictionaries(
      { companyId, dictionaryVersionId: version },
      { kind: 'fileProblem', problem, labels },
      portal.deps,
    )
    expect(verdict).toMatchObject({ problem: { otherDictionaries: [{ name: 'Members' }] } })
  })
})
