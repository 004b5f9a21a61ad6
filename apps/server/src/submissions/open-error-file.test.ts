import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { ErrorType } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { portalGuards, writeHighlightedFile } from '@veridict/engine'
import { bytesSource, nodePlatform } from '@veridict/engine-node'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WORKBOOK as XLSX } from '#platform/http/download.ts'
import { sourcesFolder } from '#platform/storage/create-storage.ts'
import { createValidatorPool } from '#platform/validator/create-validator-pool.ts'
import { buildStoredSubmission } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp

beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

/** A workbook of one bad row. */
async function workbook(amount = 'abc'): Promise<Buffer> {
  const source = bytesSource(Buffer.from(`Name,Amount\nAda,${amount}\n`))
  const request = {
    source,
    fileName: 'claims.csv',
    fields: [],
    platform: nodePlatform(),
    limits: portalGuards,
  }
  return Buffer.concat(await Array.fromAsync(writeHighlightedFile(request)))
}

/** Changes the checksum of a part in the archive's directory. */
function withWrongChecksum(zip: Buffer, part: string): Buffer {
  const name = zip.lastIndexOf(part)
  const [headerLength, checksumAt] = [46, 16]
  const checksum = name - headerLength + checksumAt
  zip.writeUInt32LE((zip.readUInt32LE(checksum) ^ 1) >>> 0, checksum)
  return zip
}

/** The workbook with other content in one of its parts. */
async function withPart(part: string, change: (content: string) => Uint8Array): Promise<Buffer> {
  const parts = unzipSync(await workbook())
  return Buffer.from(zipSync({ ...parts, [part]: change(strFromU8(parts[part]!)) }, { level: 1 }))
}

function submit(bytes: Buffer, { deps, clerk } = portal) {
  const { id: userId, companyId } = clerk
  const submission = { userId, companyId: companyId ?? 0, fileName: 'claims.xlsx', fileKind: 'xlsx' as const }
  const failed = {
    status: SubmissionStatus.ValidationFailed,
    errorType: ErrorType.RowErrors,
    errorRowCount: 1,
    recordsCount: 1,
  }
  return buildStoredSubmission(deps, { ...submission, ...failed }, bytes)
}

async function download(bytes: Buffer, kind: string, test = portal) {
  const { id } = await submit(bytes, test)
  return test.call('GET', `/api/ErrorFile/${id}/${kind}`, { as: test.clerk })
}

describe('The error files of a workbook', () => {
  it.for(['Simple', 'Highlighted'])('%s can be downloaded', async (kind) => {
    const response = await download(await workbook(), kind)
    expect(response.statusCode).toBe(200)
    expect(response.rawPayload.subarray(0, 2).toString()).toBe('PK')
  })

  it('give 503 while the storage is not available, not 404 as if they were deleted', async () => {
    const { storageUrl } = portal.deps.env
    const { id } = await submit(await workbook())
    await rename(storageUrl, `${storageUrl}-away`)
    const response = await portal.call('GET', `/api/ErrorFile/${id}/Simple`, { as: portal.clerk })
    await rename(`${storageUrl}-away`, storageUrl)
    expect(response.statusCode).toBe(503)
  })

  it('are never those of another database that used the folder and has the same id', async () => {
    const [first, second] = await Promise.all([createTestApp(), createTestApp()])
    const validator = createValidatorPool({
      processes: 1,
      folders: {
        read: [sourcesFolder(second.deps.env)],
        write: [join(first.deps.env.dataDir, 'generated-files')],
      },
    })
    onTestFinished(async () => {
      validator.close()
      await Promise.all([first.close(), second.close()])
    })
    Object.assign(second.deps, { validator, generatedFiles: first.deps.generatedFiles })
    const responses = [
      await download(await workbook('abc'), 'Simple', first),
      await download(await workbook('xyz'), 'Simple', second),
    ]
    const words = responses.map(({ rawPayload }) =>
      Object.values(unzipSync(rawPayload))
        .map((part) => strFromU8(part))
        .join('')
        .match(/abc|xyz/g),
    )
    expect(words).toEqual([['abc'], ['xyz']])
  })

  it.for([
    {
      kind: 'Highlighted',
      part: 'xl/comments1.xml',
      why: 'is damaged in a part that only the Highlighted file reads',
    },
    { kind: 'Simple', part: 'xl/worksheets/sheet1.xml', why: 'was damaged after its validation' },
  ])('$kind names the damage of a workbook that $why', async ({ kind, part }) => {
    const response = await download(withWrongChecksum(await workbook(), part), kind)
    const problem = fileProblemMessages.damagedWorkbook(`the part ${part} does not match its checksum`)
    expect([response.statusCode, response.json().message]).toEqual([
      404,
      submissionMessages.errorFileNotPossible(problem),
    ])
  })

  const notes = 'xl/comments1.xml'
  // Notes are read up to 64 MiB.
  const tooManyBytes = 65 * 1024 * 1024
  it.for([
    {
      problem: fileProblemMessages.doctype,
      change: (content: string) => strToU8(content.replace('<comments', '<!DOCTYPE comments>\n<comments')),
      why: 'declare a document type',
    },
    {
      problem: fileProblemMessages.damagedWorkbook(`the part ${notes} is far larger than such a part can be`),
      change: () => new Uint8Array(tooManyBytes).fill(120),
      why: 'unpack to far more than notes can be',
    },
  ])(
    'Highlighted names the problem when notes, which validation skips, $why',
    async ({ problem, change }) => {
      const response = await download(await withPart(notes, change), 'Highlighted')
      expect([response.statusCode, response.json().message]).toEqual([
        404,
        submissionMessages.errorFileNotPossible(problem),
      ])
    },
  )
})

describe('The corrected copy', () => {
  const csv = 'Name,Amount\nAda,abc\n'
  async function copyOf(
    content: string | Buffer,
    query = '',
    given: {
      fileName?: string
      errorType?: 0 | 1
      causeCounts?: string
      causesCount?: number
      fileProblem?: string
    } = {},
  ) {
    const { id: userId, companyId } = portal.clerk
    const fileKind = typeof content === 'string' ? 'csv' : 'xlsx'
    const { id } = await buildStoredSubmission(
      portal.deps,
      {
        userId,
        companyId: companyId ?? 0,
        fileName: `claims.${fileKind}`,
        fileKind,
        status: SubmissionStatus.ValidationFailed,
        errorType: ErrorType.RowErrors,
        ...given,
      },
      content,
    )
    return portal.call('GET', `/api/ErrorFile/${id}/Corrected${query}`, { as: portal.clerk })
  }

  it('of a CSV file is a CSV file of its name', async () => {
    const response = await copyOf(csv, '', { fileName: 'claims.may.CSV' })
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv',
      'content-disposition': expect.stringContaining('filename="claims.may_corrected.CSV"'),
      'content-length': String(response.rawPayload.length),
    })
  })

  const [comma, unit] = ['cause=B.decimalComma', 'cause=B.unit.oz']
  const dirty = 'Name,Amount\nAda,"1,75"\nBob,"2,50"\nEve,12 oz\n'
  it.for([
    { query: '', rows: 'Ada,"1.75" Bob,"2.50" Eve,12', why: 'all causes' },
    { query: `?${comma}`, rows: 'Ada,"1.75" Bob,"2.50" Eve,12 oz', why: 'one cause' },
    { query: `?${unit}`, rows: 'Ada,"1,75" Bob,"2,50" Eve,12', why: 'another one' },
    { query: `?${unit}&${comma}`, rows: 'Ada,"1.75" Bob,"2.50" Eve,12', why: 'both by name' },
  ])('has the suggestions of the chosen causes: $why', async ({ query, rows }) => {
    const { payload } = await copyOf(dirty, query)
    expect(payload).toBe(`Name,Amount\n${rows.replaceAll(/ (?!oz)/g, '\n')}\n`)
  })

  it('is made once for the same causes, in any order', async () => {
    const { id: userId, companyId } = portal.clerk
    const failed = { status: SubmissionStatus.ValidationFailed, errorType: ErrorType.RowErrors }
    const given = {
      userId,
      companyId: companyId ?? 0,
      fileName: 'a.csv',
      fileKind: 'csv' as const,
      ...failed,
    }
    const { id, storageKey } = await buildStoredSubmission(portal.deps, given, dirty)
    for (const query of [`${unit}&${comma}`, `${comma}&${unit}&${comma}`, unit])
      await portal.call('GET', `/api/ErrorFile/${id}/Corrected?${query}`, { as: portal.clerk })
    const names = await portal.deps.generatedFiles.names()
    expect(names.filter((name) => name.startsWith(storageKey))).toHaveLength(2)
  })

  it('of a workbook is a workbook', async () => {
    const response = await copyOf(await workbook())
    expect(response.headers['content-type']).toMatch(/spreadsheetml/)
    expect(response.rawPayload.subarray(0, 2).toString()).toBe('PK')
  })

  it.for([
    { query: '?cause=Z.other', message: 'Cause not found', why: 'a cause that the file does not have' },
    {
      query: '?cause=Z.other&CAUSE=B.',
      message: 'Cause not found',
      why: 'several, however the name is written',
    },
  ])('is 404 for $why', async ({ query, message }) => {
    const response = await copyOf(csv, query)
    expect([response.statusCode, response.json().message]).toEqual([404, expect.stringContaining(message)])
  })

  it.for([
    { causesCount: 1, isRead: false, why: 'is not read for an unknown cause, where all causes are kept' },
    { causesCount: 2, isRead: true, why: 'is read for a cause that may be among those that are not kept' },
  ])('of a file that $why', async ({ causesCount, isRead }) => {
    const causeCounts = JSON.stringify([['B.decimalComma', 2]])
    const { statusCode } = await copyOf(dirty, `?${unit}`, { causeCounts, causesCount })
    expect(statusCode).toBe(isRead ? 200 : 404)
  })

  it('has the right columns, and the answers of a person, where the columns are wrong', async () => {
    const cause = { id: 'table.columnsExtra', correctable: 'choice', cells: 0, suggestions: 0 }
    const problem = { errorType: ErrorType.Columns, message: 'Columns', details: [], causes: [cause] }
    const wrong = { errorType: ErrorType.Columns, fileProblem: JSON.stringify(problem) }
    const titled = 'Claims\nAmount,Phone,Name\n"1,75",07,Ada\n'
    const answered = await copyOf(titled, '?choose=table.columnsExtra%3Dremove', wrong)
    expect(answered.payload).toBe('Name,Amount\nAda,"1.75"\n')
    const only = await copyOf(titled, '?cause=table.titleRows', wrong)
    expect(only.payload).toBe('Amount,Phone,Name\n"1,75",07,Ada\n')
    for (const query of [
      '?choose=table.columnsExtra%3Dburn',
      '?choose=x',
      '?map=table.columnsExtra:A%3DName',
    ])
      expect((await copyOf(titled, query, wrong)).statusCode).toBe(400)
  })

  it('is 404 for a file whose columns are wrong, where nothing can be corrected', async () => {
    const response = await copyOf('Name\nAda\n', '', { errorType: ErrorType.Columns })
    expect([response.statusCode, response.json().message]).toEqual([404, submissionMessages.noErrorFile])
  })

  it('is 400 for an endless cause', async () => {
    expect((await copyOf(csv, `?cause=${'x'.repeat(501)}`)).statusCode).toBe(400)
  })
})

describe('The source of a rejected file', () => {
  const source = ({ id }: { id: number }) =>
    portal.call('GET', `/api/ErrorFile/${id}/Source`, { as: portal.clerk })

  it.for([
    { kind: 'xlsx' as const, errorType: ErrorType.RowErrors },
    { kind: 'csv' as const, errorType: ErrorType.Unreadable },
  ])('of a .$kind has the bytes of the upload, its name and its type', async ({ kind, errorType }) => {
    const bytes = Buffer.from('\ufeffName;\0 M\u00fcller\r\n', 'utf16le')
    const { id: userId, companyId } = portal.clerk
    const given = { userId, companyId: companyId!, fileName: `Mai "ä".${kind}`, fileKind: kind, errorType }
    const status = SubmissionStatus.ValidationFailed
    const reply = await source(await buildStoredSubmission(portal.deps, { ...given, status }, bytes))
    expect(reply.statusCode).toBe(200)
    expect(reply.rawPayload.equals(bytes)).toBe(true)
    expect(reply.headers).toMatchObject({
      'content-type': kind === 'csv' ? 'text/csv' : XLSX,
      'content-length': `${bytes.length}`,
      'content-disposition':
        `attachment; filename="Mai ___.${kind}"; ` + `filename*=UTF-8''Mai%20%22%C3%A4%22.${kind}`,
      'cache-control': 'no-store',
    })
  })

  it('is 404 once it is deleted, and for a file that was accepted or waits', async () => {
    const { IngestionSuccess, Uploaded, ValidationFailed } = SubmissionStatus
    const { id: userId, companyId } = portal.clerk
    const build = (given: object) =>
      buildStoredSubmission(portal.deps, { userId, companyId: companyId!, ...given })
    const replies = await Promise.all(
      [
        { status: ValidationFailed, errorType: ErrorType.RowErrors, sourceDeletedAt: new Date() },
        { status: IngestionSuccess },
        { status: Uploaded },
      ].map(async (given) => source(await build(given))),
    )
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
    expect(replies[0]!.json().message).toBe(submissionMessages.sourceGone)
  })

  it('is 503 while the storage is not available', async () => {
    const { storageUrl } = portal.deps.env
    const submission = await submit(await workbook())
    await rename(storageUrl, `${storageUrl}-away`)
    const reply = await source(submission)
    await rename(`${storageUrl}-away`, storageUrl)
    expect(reply.statusCode).toBe(503)
  })
  it('is 503 if it can no longer be read when it is sent', async () => {
    const submission = await submit(await workbook())
    const path = join(sourcesFolder(portal.deps.env), submission.storageKey)
    await rm(path)
    await mkdir(path)
    const reply = await source(submission)
    expect(reply.statusCode).toBe(503)
    expect(reply.headers).not.toHaveProperty('content-disposition')
  })
})
