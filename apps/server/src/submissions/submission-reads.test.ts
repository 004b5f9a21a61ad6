import type { Cause } from '@veridict/contract/model/cause'
import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import { ErrorType } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countsOf } from '#platform/database/pack-causes.ts'
import { packReports } from '#platform/database/pack-reports.ts'
import type { SubmissionRow, UserRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { addRowReports, deleteRowReports } from '#submissions/row-reports.ts'
import { buildDictionary, buildSubmission, buildUser, findPresentVersionId } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const { ValidationFailed, IngestionSuccess } = SubmissionStatus
let portal: TestApp
let colleague: UserRow
let otherCompanyUser: UserRow
let dictionaryId: number
let dictionaryVersionId: number

beforeAll(async () => {
  portal = await createTestApp()
  colleague = await buildUser(portal.deps.db, { companyId: portal.clerk.companyId })
  otherCompanyUser = await buildUser(portal.deps.db)
  const dictionary = await buildDictionary(portal.deps.db)
  dictionaryId = dictionary.id
  dictionaryVersionId = await findPresentVersionId(portal.deps.db, dictionary)
})
afterAll(() => portal.close())
beforeEach(() => sql`truncate submissions, submission_moves, row_reports cascade`.execute(portal.owner))

const submit = (given: Parameters<typeof buildSubmission>[1] = {}, user = portal.clerk) =>
  buildSubmission(portal.deps.db, { userId: user.id, companyId: user.companyId ?? 0, ...given })
const get = async (url: string, as = portal.clerk) => portal.call('GET', url, { as })
const names = async (query: string, as = portal.clerk) => {
  const response = await get(`/api/FileSubmission?${query}`, as)
  expect(response.statusCode).toBe(200)
  return response.json().value.data.map((item: { fileName: string }) => item.fileName)
}

describe('The history', () => {
  it('shows the fields of the contract and no others, newest first', async () => {
    await submit({ fileName: 'old.csv' })
    const { id, createdAt } = await submit({
      fileName: 'new.csv',
      status: IngestionSuccess,
      recordsCount: 1204,
      dictionaryName: 'Claims',
    })
    const { value } = (await get('/api/FileSubmission')).json()
    expect(value).toMatchObject({ totalCount: 2, totalPages: 1 })
    expect(value.data[0]).toEqual({
      id,
      fileName: 'new.csv',
      dataDictionaryName: 'Claims',
      recordsCount: 1204,
      createdAt: createdAt.toISOString(),
      status: 4,
      errorRowCount: null,
      warningRowCount: null,
      uploadedBy: portal.clerk.name,
    })
    expect(value.data[1]).toMatchObject({ fileName: 'old.csv', recordsCount: null })
  })

  it('has pages, and a page past the end is empty', async () => {
    for (let number = 1; number <= 12; number++) await submit({ fileName: `${number}.csv` })
    expect(await names('PageNumber=2')).toEqual(['2.csv', '1.csv'])
    expect(await names('pagenumber=1&PAGESIZE=3')).toEqual(['12.csv', '11.csv', '10.csv'])
    expect(await names('PageNumber=9')).toEqual([])
  })

  it.for([
    { search: 'CLAIMS', found: ['claims_may.csv', 'claims%.csv'] },
    { search: '%', found: ['claims%.csv'] },
    { search: '_', found: ['claims_may.csv'] },
    { search: '\\', found: [] },
    { search: "'; DROP TABLE x;--", found: [] },
  ])('searches for $search literally in the file name', async ({ search, found }) => {
    for (const fileName of ['claims%.csv', 'claims_may.csv', 'other.csv']) await submit({ fileName })
    expect(await names(`SearchText=${encodeURIComponent(search)}`)).toEqual(found)
  })

  it.for([
    { query: 'Status=2', found: ['bad.csv'] },
    { query: 'Status=4&Status=2', found: ['good.csv', 'bad.csv'] },
    { query: 'Status=0&SearchText=new', found: ['new.csv'] },
    { query: 'Status=6', found: [] },
  ])('shows the statuses that $query asks for', async ({ query, found }) => {
    await submit({ fileName: 'new.csv' })
    await submit({ fileName: 'bad.csv', status: ValidationFailed, errorRowCount: 7 })
    await submit({ fileName: 'good.csv', status: IngestionSuccess })
    expect(await names(query)).toEqual(found)
    expect((await get(`/api/FileSubmission?${query}`)).json().value.totalCount).toBe(found.length)
  })

  it.for(['Status=9', 'Status=x', 'Status='])('refuses a status that does not exist: %s', async (query) => {
    expect((await get(`/api/FileSubmission?${query}`)).statusCode).toBe(400)
  })

  /** Adds copies of a submission. */
  const addRows = ({ id }: SubmissionRow, count: number) => {
    const copied =
      'company_id, user_id, dictionary_version_id, dictionary_name, file_kind, bytes, sha256, status'
    return sql`
      insert into submissions (file_name, storage_key, ${sql.raw(copied)})
      select 'row ' || number || '.csv', gen_random_uuid(), ${sql.raw(copied)}
      from submissions, generate_series(1, ${sql.lit(count)}) as number where id = ${id}
    `.execute(portal.owner)
  }

  it('counts 10,000 rows exactly and no more, and has the pages beyond', async () => {
    const first = await submit({ fileName: 'first.csv' })
    const totals = async (query: string) => (await get(`/api/FileSubmission?${query}`)).json().value
    await addRows(first, 9_999)
    expect(await totals('')).toMatchObject({ totalCount: 10_000, totalPages: 1000, totalIsLowerBound: false })
    await addRows(first, 11)
    expect(await totals('')).toMatchObject({ totalCount: 10_000, totalPages: 1000, totalIsLowerBound: true })
    expect(await names('PageNumber=1002')).toEqual(['first.csv'])
    // Found although it is the last of all, and a rare name is searched in another way.
    expect(await names('SearchText=FIRST')).toEqual(['first.csv'])
    expect(await totals('SearchText=row%209999')).toMatchObject({ totalCount: 1, totalIsLowerBound: false })
    expect(await names('SearchText=row&PageSize=2')).toEqual(['row 11.csv', 'row 10.csv'])
    // From rows that are a minute old, far pages are found by marks.
    await sql`update submissions set created_at = now() - interval '1 hour'`.execute(portal.owner)
    expect(await names('PageNumber=1002')).toEqual(['first.csv'])
    await addRows(first, 12)
    expect(await names('PageNumber=1002&PageSize=10')).toHaveLength(10)
    expect(await names('PageNumber=1003')).toEqual(['row 2.csv', 'row 1.csv', 'first.csv'])
    expect(await names('PageNumber=1004')).toEqual([])
  })

  it('has long pages, which are read in batches, with the same rows and totals as short ones', async () => {
    await submit({ fileName: 'first.csv', status: IngestionSuccess })
    await addRows(await submit({ fileName: 'second.csv', status: ValidationFailed }), 2_499)
    await addRows(await submit({ fileName: 'last.csv', status: IngestionSuccess }), 10)
    const page = async (query: string) => (await get(`/api/FileSubmission?${query}`)).json().value
    const short = []
    for (let number = 1; number <= 13; number++)
      short.push(...(await page(`PageSize=200&PageNumber=${number}`)).data)
    expect(short).toHaveLength(2_512)
    const totals = { totalPages: 1, totalCount: 2_512, totalIsLowerBound: false }
    expect(await page('PageSize=100000')).toEqual({ data: short, ...totals })
    expect(await page('PageSize=2512')).toEqual({ data: short, ...totals })
    expect((await page('PageSize=2511')).data).toEqual(short.slice(0, -1))
    expect(await page('PageSize=1200&PageNumber=2')).toMatchObject({
      data: short.slice(1200, 2400),
      totalPages: 3,
    })
    expect((await page('PageSize=2000&PageNumber=2')).data).toEqual(short.slice(2000))
    expect((await page('PageSize=5000&Status=2')).data).toEqual(short.slice(11, 2511))
    const found = short.filter(({ fileName }) => fileName.includes('row'))
    expect(await page('PageSize=5000&SearchText=row')).toMatchObject({ data: found, totalCount: 2_509 })
  })

  it('sends at most four long pages of one person at once', async () => {
    await addRows(await submit({}), 1_000)
    const { downloads } = portal.deps.limits
    const frees = [1, 2, 3, 4].map(() => downloads.enterNow(String(portal.clerk.id)))
    expect((await get('/api/FileSubmission?PageSize=100000')).statusCode).toBe(429)
    expect((await get('/api/FileSubmission?PageSize=249')).statusCode).toBe(200)
    frees.forEach((free) => free())
    await expect
      .poll(async () => (await get('/api/FileSubmission?PageSize=100000')).statusCode, { timeout: 10_000 })
      .toBe(200)
  })

  it('names who uploaded a file, and counts its rows with errors', async () => {
    await submit({ status: ValidationFailed, errorRowCount: 7 }, colleague)
    const { value } = (await get('/api/FileSubmission')).json()
    expect(value.data[0]).toMatchObject({ uploadedBy: colleague.name, errorRowCount: 7 })
  })

  it('shows the whole company and no other', async () => {
    await submit({ fileName: 'mine.csv' })
    await submit({ fileName: 'ours.csv' }, colleague)
    await submit({ fileName: 'theirs.csv' }, otherCompanyUser)
    expect(await names('')).toEqual(['ours.csv', 'mine.csv'])
    expect(await names('SearchText=theirs')).toEqual([])
    expect(await names('', otherCompanyUser)).toEqual(['theirs.csv'])
  })

  it('shows only the own submissions with HISTORY_SCOPE=user, also by id', async () => {
    const { historyScope } = portal.deps.env
    portal.deps.env.historyScope = 'user'
    await submit({ fileName: 'mine.csv' })
    const { id } = await submit(
      { fileName: 'ours.csv', status: ValidationFailed, errorType: 3, errorMessage: 'x' },
      colleague,
    )
    expect(await names('')).toEqual(['mine.csv'])
    expect((await get(`/api/FileSubmission/${id}/Errors`)).statusCode).toBe(404)
    portal.deps.env.historyScope = historyScope
    expect((await get(`/api/FileSubmission/${id}/Errors`)).statusCode).toBe(200)
  })
})

describe('An earlier upload of the same bytes', () => {
  const sha256 = 'a'.repeat(64)
  const earlier = async (as = portal.clerk, query = `dataDictionaryId=${dictionaryId}&sha256=${sha256}`) =>
    (await get(`/api/FileSubmission/Earlier?${query}`, as)).json()

  it('is the newest one against the same dictionary', async () => {
    await submit({ sha256, dictionaryVersionId })
    const { id, fileName, createdAt } = await submit({
      sha256,
      dictionaryVersionId,
      status: ValidationFailed,
      cellErrorCount: 214,
    })
    await submit({ dictionaryVersionId })
    await submit({ sha256 })
    expect(await earlier()).toEqual({
      value: { id, fileName, createdAt: createdAt.toISOString(), status: 2, cellErrorCount: 214 },
    })
  })

  it('is null without one, and for the uploads of another company', async () => {
    expect(await earlier()).toEqual({ value: null })
    await submit({ sha256, dictionaryVersionId }, otherCompanyUser)
    expect(await earlier()).toEqual({ value: null })
    expect(await earlier(otherCompanyUser)).toMatchObject({ value: { status: 0 } })
  })

  it('is not looked for by anything but a checksum', async () => {
    for (const query of ['', `dataDictionaryId=${dictionaryId}&sha256=%25`, `sha256=${sha256}`])
      expect((await get(`/api/FileSubmission/Earlier?${query}`)).statusCode).toBe(400)
  })
})

describe('The drop-down', () => {
  it('offers the dictionaries of the company that are not deleted, by name', async () => {
    const { db } = portal.deps
    const mine = await buildDictionary(db, { name: 'Mine', companyId: portal.clerk.companyId ?? 0 })
    const early = await buildDictionary(db, {
      name: 'in small letters',
      companyId: portal.clerk.companyId ?? 0,
    })
    await buildDictionary(db, { name: 'Theirs', companyId: otherCompanyUser.companyId ?? 0 })
    const gone = await buildDictionary(db, { name: 'Gone', companyId: portal.clerk.companyId ?? 0 })
    await db.updateTable('dictionaries').set({ deletedAt: new Date() }).where('id', '=', gone.id).execute()
    expect((await get('/api/DataDictionary/GetListForSelection')).json()).toEqual({
      value: [
        { id: early.id, name: 'in small letters' },
        { id: mine.id, name: 'Mine' },
      ],
    })
  })
})

const errorAt = (column: number): CellError => ({
  columnPosition: 'A',
  label: `Column ${column}`,
  error: 'wrong',
  value: `v${column}`,
  expected: 'right',
  cause: 'A.wrong',
  suggestion: 'w',
  rule: 'A rule',
  columns: ['A', 'B'],
})

const keep = (id: number, rows: readonly RowReport[]) =>
  inTransaction(portal.deps.db, async (trx) => {
    for (const reports of packReports({ rows: [...rows], causes: [], causeRows: [] }))
      await addRowReports(trx, id, reports)
  })

async function submitWithErrors(rows: number, errorsPerRow: number) {
  const submission = await submit({
    status: ValidationFailed,
    errorType: ErrorType.RowErrors,
    errorRowCount: 250,
    recordsCount: 300,
    fileName: 'claims.csv',
  })
  const reports = Array.from({ length: rows }, (_, index) => ({
    rowNumber: index + 2,
    key: [{ label: 'Id', value: `v${index}` }],
    totalCount: errorsPerRow,
    columnValidationErrors: Array.from({ length: errorsPerRow }, (__, column) => errorAt(column)),
  }))
  await keep(submission.id, reports)
  return submission
}

const causeOf = (id: string, cells: number): Cause => ({
  id,
  kind: id.slice(2),
  columnPosition: id.slice(0, 1),
  label: 'Name',
  message: `About ${id}.`,
  advice: 'Correct them.',
  cells,
  rows: cells,
  firstRow: 2,
  suggestions: 0,
  examples: [{ rowNumber: 2, value: '', suggestion: null, count: null }],
})

const rowOf = (rowNumber: number, causes: readonly string[]): RowReport => ({
  rowNumber,
  key: [{ label: 'Id', value: `v${rowNumber}` }],
  totalCount: causes.length,
  columnValidationErrors: causes.map((cause) => ({ ...errorAt(0), cause })),
})

/** Rows 2 and 3 have errors of all causes; the last row that is kept of each is far below. */
async function submitWithCauses(fileName: string, cells: Record<string, number>) {
  const causes = Object.entries(cells).map(([id, count]) => causeOf(id, count))
  const ids = causes.map(({ id }) => id)
  const submission = await submit({
    fileName,
    dictionaryVersionId,
    status: ValidationFailed,
    errorType: ErrorType.RowErrors,
    recordsCount: 300,
    cellErrorCount: causes.reduce((sum, cause) => sum + cause.cells, 0),
    causeCounts: JSON.stringify(countsOf(causes)),
    causesCount: causes.length,
  })
  const rows = [2, 3].map((rowNumber) => rowOf(rowNumber, [...ids, ids[0]]))
  const causeRows = ids.map((id) => ({ cause: id, rows: [rowOf(900, [id])] }))
  await inTransaction(portal.deps.db, async (trx) => {
    for (const reports of packReports({ rows, causes, causeRows }))
      await addRowReports(trx, submission.id, reports)
  })
  return { ...submission, causes }
}

describe('The error report', () => {
  it('shows the first 100 rows in pages, each with 5 errors and their number', async () => {
    await submitWithErrors(1, 1)
    const { id } = await submitWithErrors(130, 7)
    const { value } = (await get(`/api/FileSubmission/${id}/Errors?pageNumber=2&pageSize=10`)).json()
    expect(value).toMatchObject({
      id,
      fileName: 'claims.csv',
      errorType: 0,
      errorRowCount: 250,
      errorMessage: '250 of 300 rows have errors.',
      fileProblem: null,
    })
    expect(value.rows).toMatchObject({ totalPages: 10, totalCount: 100 })
    expect(value.rows.data.map((row: { rowNumber: number }) => row.rowNumber)).toEqual([
      12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    ])
    expect(value.rows.data[0]).toEqual({
      rowNumber: 12,
      key: [{ label: 'Id', value: 'v10' }],
      totalCount: 7,
      columnValidationErrors: [0, 1, 2, 3, 4].map(errorAt),
    })
  })

  it('has a message, its details and no rows for a file problem', async () => {
    const fileProblem = {
      errorType: ErrorType.Columns,
      message: 'The columns do not match.',
      details: ['Column "Name" is missing.'],
      hints: ['The first row looks like data.'],
      columns: [
        { position: 'B', expected: 'Name', found: null, note: 'This column is missing: insert it at B.' },
      ],
    }
    const submission = await submit({
      status: ValidationFailed,
      uploadedByName: 'Name at the upload',
      dictionaryVersionId,
      errorType: ErrorType.Columns,
      errorMessage: 'The columns do not match. Column "Name" is missing.',
      fileProblem: JSON.stringify(fileProblem),
    })
    const { id, fileName, dictionaryName, createdAt } = submission
    const { value } = (await get(`/api/FileSubmission/${id}/Errors`)).json()
    const rows = { data: [], totalPages: 0, totalCount: 0 }
    expect(value).toEqual({
      id,
      fileName,
      dataDictionaryId: dictionaryId,
      dataDictionaryName: dictionaryName,
      dictionaryVersion: 1,
      uploadedBy: 'Name at the upload',
      createdAt: createdAt.toISOString(),
      errorType: 1,
      errorMessage: 'The columns do not match. Column "Name" is missing.',
      fileProblem: {
        errorType: 1,
        message: fileProblem.message,
        details: fileProblem.details,
        hints: fileProblem.hints,
        otherDictionaries: [],
      },
      columns: fileProblem.columns,
      recordsCount: null,
      errorRowCount: null,
      cellErrorCount: null,
      causes: [],
      causesCount: 0,
      previous: null,
      rows,
      warningCount: null,
      warningRowCount: null,
      warningRows: rows,
    })
  })

  it('shows the message of a file that was validated before details were stored', async () => {
    const { id } = await submit({
      status: ValidationFailed,
      errorType: ErrorType.Columns,
      errorMessage: 'Column "Name" is missing.',
    })
    const { value } = (await get(`/api/FileSubmission/${id}/Errors`)).json()
    expect(value).toMatchObject({
      errorMessage: 'Column "Name" is missing.',
      fileProblem: {
        errorType: 1,
        message: 'Column "Name" is missing.',
        details: [],
        hints: [],
        otherDictionaries: [],
      },
      columns: [],
      errorRowCount: null,
      rows: { data: [], totalPages: 0 },
    })
  })

  it('names the largest causes, and shows the rows of one', async () => {
    const { id, causes } = await submitWithCauses('claims.csv', { 'A.empty': 150, 'B.case': 3 })
    const report = async (query = '') => (await get(`/api/FileSubmission/${id}/Errors?${query}`)).json().value
    const { causes: named, ...whole } = await report()
    expect(whole).toMatchObject({
      dataDictionaryId: dictionaryId,
      recordsCount: 300,
      cellErrorCount: 153,
      causesCount: 2,
    })
    const added = { correctable: 'no', rule: null, severity: 'error' }
    expect(named).toEqual(causes.map((cause) => ({ ...cause, ...added })))
    const rowsOf = (value: { rows: { data: RowReport[] } }) =>
      value.rows.data.map(({ rowNumber, totalCount, columnValidationErrors }) => [
        rowNumber,
        totalCount,
        ...columnValidationErrors.map(({ cause }) => cause),
      ])
    const ofCase = await report('cause=B.case&pageSize=2')
    expect(ofCase.rows).toMatchObject({ totalCount: 3, totalPages: 2 })
    // The last row lies beyond the first hundred that are shown without a filter.
    expect(rowsOf(await report('cause=B.case'))).toEqual([
      [2, 1, 'B.case'],
      [3, 1, 'B.case'],
      [900, 1, 'B.case'],
    ])
    expect(rowsOf(await report('cause=A.empty&pageSize=1'))).toEqual([[2, 2, 'A.empty', 'A.empty']])
    expect((await get(`/api/FileSubmission/${id}/Errors?cause=C.none`)).statusCode).toBe(404)
    // What PostgreSQL cannot hold.
    expect((await get(`/api/FileSubmission/${id}/Errors?cause=%00`)).statusCode).toBe(400)
    const all = await get(`/api/ValidationError/${id}/ValidationErrorItems?rowNumber=900`)
    expect(all.json().value.data.map(({ cause }: CellError) => cause)).toEqual(['A.empty', 'B.case'])
    expect(all.json().value.totalCount).toBe(2)
  })

  it('says what changed since the previous upload of nearly the same name', async () => {
    const previousOf = async (id: number) =>
      (await get(`/api/FileSubmission/${id}/Errors`)).json().value.previous
    const first = await submitWithCauses('claims.csv', { 'A.empty': 10, 'B.case': 3 })
    expect(await previousOf(first.id)).toBeNull()
    const other = await submitWithCauses('members.csv', { 'A.empty': 1 })
    expect(await previousOf(other.id)).toBeNull()
    const second = await submitWithCauses('claims-corrected.csv', { 'A.empty': 4, 'B.misspelt': 2 })
    const named = (cause: string, changes: object) => {
      const { id, columnPosition, label, message } = causeOf(cause, 0)
      return { id, columnPosition, label, message, ...changes }
    }
    expect(await previousOf(second.id)).toEqual({
      id: first.id,
      fileName: 'claims.csv',
      createdAt: first.createdAt.toISOString(),
      fixed: 9,
      remaining: 4,
      new: 2,
      causes: [
        named('A.empty', { fixed: 6, remaining: 4, new: 0 }),
        named('B.misspelt', { fixed: 0, remaining: 0, new: 2 }),
        named('B.case', { fixed: 3, remaining: 0, new: 0 }),
      ],
    })
    const accepted = await submit({
      fileName: 'claims_v3.csv',
      status: IngestionSuccess,
      dictionaryVersionId: first.dictionaryVersionId,
    })
    const last = await submitWithCauses('claims_v4.csv', { 'A.empty': 5 })
    expect(await previousOf(last.id)).toEqual({
      id: accepted.id,
      fileName: 'claims_v3.csv',
      createdAt: accepted.createdAt.toISOString(),
      fixed: 0,
      remaining: 0,
      new: 5,
      causes: [named('A.empty', { fixed: 0, remaining: 0, new: 5 })],
    })
    expect(await previousOf(first.id)).toBeNull()
  })

  describe('of the previous upload', () => {
    const accept = (fileName: string, user = portal.clerk) =>
      submit({ fileName, status: IngestionSuccess, dictionaryVersionId }, user)
    const correctedBy = async ({ id }: { id: number }, as = portal.clerk) => {
      const reply = await get(`/api/FileSubmission/${id}`, as)
      expect(reply.statusCode).toBe(200)
      return reply.json().value.previous
    }

    it('is named by the accepted file that corrects it', async () => {
      const first = await submitWithCauses('claims.csv', { 'A.empty': 211, 'B.case': 3 })
      await submitWithCauses('members.csv', { 'A.empty': 1 })
      expect(await correctedBy(await accept('claims-corrected.csv'))).toEqual({
        id: first.id,
        fileName: 'claims.csv',
        createdAt: first.createdAt.toISOString(),
        fixed: 214,
      })
      expect(await correctedBy(first)).toBeNull()
    })

    it('is not named where there was none, or it was accepted', async () => {
      expect(await correctedBy(await accept('claims.csv'))).toBeNull()
      await submitWithCauses('claims.csv', { 'A.empty': 2 })
      await accept('claims (1).csv')
      expect(await correctedBy(await accept('claims (2).csv'))).toBeNull()
    })

    it('is not named once it is purged', async () => {
      const { id } = await submitWithCauses('claims.csv', { 'A.empty': 2 })
      await inTransaction(portal.deps.db, (trx) => deleteRowReports(trx, id))
      expect(await correctedBy(await accept('claims (1).csv'))).toBeNull()
    })

    it('is not named for another file, dictionary or status', async () => {
      await submitWithCauses('claims.csv', { 'A.empty': 2 })
      expect(await correctedBy(await accept('members.csv'))).toBeNull()
      expect(await correctedBy(await submit({ fileName: 'claims.csv', status: IngestionSuccess }))).toBeNull()
      const { IngestionFailed } = SubmissionStatus
      const notStored = { fileName: 'claims.csv', status: IngestionFailed, dictionaryVersionId }
      expect(await correctedBy(await submit(notStored))).toBeNull()
    })

    it('is not named to a company whose file it is not', async () => {
      await submitWithCauses('claims.csv', { 'A.empty': 2 })
      expect(await correctedBy(await accept('claims.csv', colleague), colleague)).toMatchObject({ fixed: 2 })
      expect(await correctedBy(await accept('claims.csv', otherCompanyUser), otherCompanyUser)).toBeNull()
    })
  })

  it('shows a file problem that was stored before hints and columns were', async () => {
    const fileProblem = { errorType: ErrorType.Columns, message: 'No match.', details: ['Column A is odd.'] }
    const { id } = await submit({
      status: ValidationFailed,
      errorType: ErrorType.Columns,
      errorMessage: 'No match. Column A is odd.',
      fileProblem: JSON.stringify(fileProblem),
    })
    const { value } = (await get(`/api/FileSubmission/${id}/Errors`)).json()
    expect(value).toMatchObject({ fileProblem: { ...fileProblem, hints: [] }, columns: [] })
  })

  it('lists all errors of one row', async () => {
    const { id } = await submitWithErrors(3, 7)
    const { value } = (
      await get(`/api/ValidationError/${id}/ValidationErrorItems?rowNumber=3&pageNumber=1&pageSize=100000`)
    ).json()
    expect(value).toEqual({ data: [0, 1, 2, 3, 4, 5, 6].map(errorAt), totalPages: 1, totalCount: 7 })
    expect((await get(`/api/ValidationError/${id}/ValidationErrorItems?rowNumber=999`)).statusCode).toBe(404)
  })

  it.for([
    { page: 'pageNumber=2&pageSize=3', columns: [3, 4, 5], totalPages: 3 },
    { page: 'pageNumber=3&pageSize=3', columns: [6], totalPages: 3 },
    { page: 'pageNumber=1000000000&pageSize=100000', columns: [], totalPages: 1 },
  ])('lists the errors of one row in pages: $page', async ({ page, columns, totalPages }) => {
    const { id } = await submitWithErrors(3, 7)
    const { value } = (
      await get(`/api/ValidationError/${id}/ValidationErrorItems?rowNumber=3&${page}`)
    ).json()
    expect(value).toEqual({ data: columns.map(errorAt), totalPages, totalCount: 7 })
  })

  it('has the rows of the last run only', async () => {
    const { id } = await submitWithErrors(7, 3)
    const row = { rowNumber: 5, key: [], totalCount: 1, columnValidationErrors: [errorAt(9)] }
    await keep(id, [row])
    const { value } = (await get(`/api/FileSubmission/${id}/Errors`)).json()
    expect(value.rows.data).toEqual([row])
  })

  it('replaces what PostgreSQL cannot store: NUL and half a surrogate pair', async () => {
    const submission = await submit({
      status: ValidationFailed,
      errorType: 0,
      errorRowCount: 1,
      recordsCount: 1,
    })
    const columnValidationErrors = [{ ...errorAt(0), value: 'a\0b\ud800c' }]
    const key = [{ label: 'Id', value: 'a\0b\ud800c' }]
    await keep(submission.id, [{ rowNumber: 2, key, totalCount: 1, columnValidationErrors }])
    const { value } = (await get(`/api/FileSubmission/${submission.id}/Errors`)).json()
    const [row] = value.rows.data
    expect([row.key[0].value, row.columnValidationErrors[0].value]).toEqual([
      'a\ufffdb\ufffdc',
      'a\ufffdb\ufffdc',
    ])
  })
})

describe('Submissions of another company look as if they did not exist', () => {
  it.for([
    'FileSubmission/:id/Errors',
    'ValidationError/:id/ValidationErrorItems?rowNumber=2',
    'ErrorFile/:id/Simple',
    'ErrorFile/:id/Highlighted',
    'ErrorFile/:id/Source',
  ])('GET /api/%s', async (path) => {
    const { id } = await submitWithErrors(1, 1)
    const [theirs, missing] = [
      await get(`/api/${path.replace(':id', String(id))}`, otherCompanyUser),
      await get(`/api/${path.replace(':id', '2000000000')}`, otherCompanyUser),
    ]
    expect([theirs.statusCode, theirs.json()]).toEqual([404, missing.json()])
    expect(
      (await portal.call('GET', `/api/${path.replace(':id', String(id))}`, { as: portal.administrator }))
        .statusCode,
    ).toBe(403)
  })
})

describe('Error files', () => {
  it.for([
    {
      errorType: ErrorType.RowErrors,
      simple: submissionMessages.sourceGone,
      highlighted: submissionMessages.sourceGone,
    },
    {
      errorType: ErrorType.Columns,
      simple: submissionMessages.noErrorFile,
      highlighted: submissionMessages.sourceGone,
    },
    {
      errorType: ErrorType.ColumnOrder,
      simple: submissionMessages.noErrorFile,
      highlighted: submissionMessages.sourceGone,
    },
    {
      errorType: ErrorType.Unreadable,
      simple: submissionMessages.noErrorFile,
      highlighted: submissionMessages.noErrorFile,
    },
    {
      errorType: ErrorType.ProcessingFailed,
      simple: submissionMessages.noErrorFile,
      highlighted: submissionMessages.noErrorFile,
    },
  ])(
    'of error type $errorType: the message says why there is none without the source',
    async ({ errorType, simple, highlighted }) => {
      const { id } = await submit({ status: ValidationFailed, errorType, errorMessage: 'x' })
      const responses = await Promise.all(
        ['Simple', 'Highlighted'].map((kind) => get(`/api/ErrorFile/${id}/${kind}`)),
      )
      expect(responses.map((response) => [response.statusCode, response.json().message])).toEqual([
        [404, simple],
        [404, highlighted],
      ])
    },
  )
})

describe('The exported history', () => {
  const lines = async (query = '') => {
    const reply = await portal.call('GET', `/api/FileSubmission/Export${query}`, { as: portal.clerk })
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    return reply.body.trimEnd().split('\r\n')
  }
  const own = () => ({ userId: portal.clerk.id, companyId: portal.clerk.companyId as number })

  it('has the files of the company, newest first, and no formula', async () => {
    await buildSubmission(portal.deps.db, { ...own(), fileName: '=1+1.csv', recordsCount: 3 })
    const rows = { status: 2 as const, errorRowCount: 1, warningRowCount: 4 }
    await buildSubmission(portal.deps.db, { ...own(), fileName: 'may.csv', ...rows })
    await buildSubmission(portal.deps.db, { fileName: 'of-others.csv' })
    const [header, first, second, ...rest] = await lines()
    expect(header).toBe(
      '\uFEFFFile,File type,Records,Rows with errors,Uploaded on (UTC),Uploaded by,Processing status,' +
        'Rows with warnings',
    )
    expect(first).toMatch(/^may\.csv,Claims,,1,2.*Z,User \w+,Validation error,4$/)
    expect(second).toMatch(/^"'=1\+1\.csv",Claims,3,,2.*Z,User \w+,In progress,$/)
    expect(rest).toEqual([])
  })

  it('has the same filters as the list, also beyond one batch', async () => {
    const { dictionaryVersionId } = await buildSubmission(portal.deps.db, { ...own(), fileName: 'x.csv' })
    await sql`
      insert into submissions (company_id, user_id, dictionary_version_id, dictionary_name, file_name,
        file_kind, bytes, sha256, storage_key, status)
      select ${own().companyId}, ${own().userId}, ${dictionaryVersionId}, 'Claims', 'many-' || n || '.csv',
        'csv', 1, '', 'many-' || n, 4
      from generate_series(1, 4100) n
    `.execute(portal.deps.db)
    expect(new Set(await lines()).size).toBe(4102)
    expect(await lines('?Status=4')).toHaveLength(4101)
    expect(await lines('?SearchText=X.CSV')).toHaveLength(2)
  })
})
