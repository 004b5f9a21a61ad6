import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { uploadLimits } from '@veridict/contract/limits'
import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { ErrorType } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { strToU8 } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiClient, type ApiClient } from './api-client.ts'
import { asCsv, asWorkbook, goodClaims } from './claims.ts'
import { openPortal } from './open-portal.ts'
import type { Portal } from './portal.ts'

let portal: Portal
let clerk: ApiClient
let dictionaryId: number

beforeAll(async () => {
  portal = await openPortal()
  clerk = await apiClient(portal.url, 'clerk@example.com')
  dictionaryId = await clerk.dictionary('Medical claims')
  // The demo files that are still in progress would be stored meanwhile.
  await clerk.allSettled()
})
afterAll(() => portal?.close())

const csv = asCsv(goodClaims)
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('A refused upload leaves no file behind', () => {
  it.for([
    { name: 'claims.xls', bytes: csv, expected: uploadMessages.wrongType },
    { name: 'claims.csv.exe', bytes: csv, expected: uploadMessages.wrongType },
    { name: 'claims', bytes: csv, expected: uploadMessages.wrongType },
    {
      name: 'claims.csv',
      bytes: new Uint8Array(uploadLimits.maxBytes + 1).fill(65),
      expected: uploadMessages.tooLarge,
    },
  ])('$name: $expected', async ({ name, bytes, expected }) => {
    const before = filesBelow(portal.dataDir)
    const { status, body } = await clerk.upload({ name, bytes }, dictionaryId)
    expect([400, 413, 415]).toContain(status)
    expect([body.message, ...Object.values(body.errors ?? {}).flat()]).toContain(expected)
    expect(filesBelow(portal.dataDir)).toEqual(before)
  })
})

describe('A file that cannot be validated gets a message that says what to do', () => {
  const header = text(csv).split('\r\n')[0]!
  it.for([
    {
      why: 'header only',
      name: 'a.csv',
      bytes: strToU8(`${header}\r\n`),
      type: ErrorType.NoRows,
      expected: fileProblemMessages.noRows,
    },
    {
      why: 'a column is missing',
      name: 'b.csv',
      bytes: asCsv(goodClaims.map((row) => row.filter((_, column) => column !== 3))),
      type: ErrorType.Columns,
      expected: '"Member name" is missing',
    },
    {
      why: 'two columns are swapped',
      name: 'c.csv',
      bytes: asCsv(goodClaims.map(([first, second, ...rest]) => [second!, first!, ...rest])),
      type: ErrorType.ColumnOrder,
      expected: 'column A is "Claim type", expected "Claim ID"',
    },
    {
      why: 'a .csv named .xlsx',
      name: 'd.xlsx',
      bytes: csv,
      type: ErrorType.Unreadable,
      expected: 'named .xlsx',
    },
    {
      why: 'a .xlsx named .csv',
      name: 'e.csv',
      bytes: asWorkbook(goodClaims),
      type: ErrorType.Unreadable,
      expected: 'named .csv',
    },
    {
      why: 'an unreadable zip',
      name: 'f.xlsx',
      bytes: asWorkbook(goodClaims).slice(0, 600),
      type: ErrorType.Unreadable,
      expected: 'damaged',
    },
    {
      why: 'not UTF-8',
      name: 'g.csv',
      bytes: new Uint8Array(Buffer.from(text(csv), 'latin1')),
      type: ErrorType.Unreadable,
      expected: fileProblemMessages.notUtf8(2),
    },
    {
      why: 'a quote that never closes',
      name: 'h.csv',
      bytes: strToU8(`${header}\r\n"CLM`),
      type: ErrorType.Unreadable,
      expected: 'line 2',
    },
  ])('$why', async ({ name, bytes, type, expected }) => {
    const { status, body } = await clerk.upload({ name, bytes }, dictionaryId)
    expect(status).toBe(202)
    const item = await clerk.settled(body.value!.id)
    expect(item.status).toBe(SubmissionStatus.ValidationFailed)
    const report = await clerk.errors(item.id)
    expect(report.errorType).toBe(type)
    expect(report.errorMessage).toContain(expected)
    expect(report).toMatchObject({ errorRowCount: null, rows: { data: [] } })
  })
})

/** The files in the storage, without logs and database files. */
const filesBelow = (dataDir: string) =>
  readdirSync(join(dataDir, 'storage'), { recursive: true }).map(String).sort()
