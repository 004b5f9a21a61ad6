import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { dictionaryLimits, fileGuards, uploadLimits } from '@veridict/contract/limits'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { inferenceMessages } from '@veridict/contract/messages/inference'
import { sessionMessages } from '@veridict/contract/messages/session'
import { tableSchemaProblems } from '@veridict/contract/messages/table-schema'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { emptyRuleBook } from '@veridict/contract/model/row-rule'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createValidatorPool } from '#platform/validator/create-validator-pool.ts'
import { ValidatorError } from '#platform/validator/validator.ts'
import { proposeDictionary } from '#dictionaries/propose-dictionary.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { type FormPart, uploadForm } from '#test/upload-form.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ uploadsPerMinute: 100_000 })
})
afterAll(() => test.close())

async function propose(...parts: FormPart[]) {
  const { body, headers } = await uploadForm(...parts)
  const reply = await test.call('POST', '/api/DataDictionary/Propose', {
    as: test.administrator,
    body,
    headers,
  })
  return { status: reply.statusCode, body: reply.json() }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
const storedFiles = async () => (await filesIn(test.deps.env.storageUrl)).filter((name) => name !== '.name')

const dictionaries = () => test.deps.db.selectFrom('dictionaries').selectAll().execute()
const csv = 'Id,Born,Code\r\n1,31/12/1984,007\r\n2,01/02/1990,\r\n'

describe('Proposing a dictionary', () => {
  it('returns fields that can be sent back as they are, and creates and keeps nothing', async () => {
    const before = await dictionaries()
    const { status, body } = await propose(['file', csv, 'my_claims.csv'])
    expect(status).toBe(200)
    expect(body.value).toEqual({
      name: 'my claims',
      recordsCount: 2,
      fields: [
        {
          itemName: 'Id',
          description: '',
          category: '',
          ruleType: 1,
          isRequired: true,
          identifiesRow: false,
          ruleConfig: '{"scale":0}',
          reason: expect.any(String),
        },
        {
          itemName: 'Born',
          description: '',
          category: '',
          ruleType: 2,
          isRequired: true,
          identifiesRow: false,
          ruleConfig: '{"format":"dd/MM/yyyy"}',
          reason: expect.stringContaining('the day comes first'),
        },
        {
          itemName: 'Code',
          description: '',
          category: '',
          ruleType: 0,
          isRequired: false,
          identifiesRow: false,
          ruleConfig: '{}',
          reason: expect.any(String),
        },
      ],
      ...emptyRuleBook,
      notes: [],
    })
    expect(await dictionaries()).toEqual(before)
    expect(await storedFiles()).toEqual([])
    const { name, fields: items } = body.value
    const created = await test.call('POST', '/api/DataDictionary', {
      as: test.administrator,
      body: { name, items },
    })
    expect(created.statusCode).toBe(201)
  })

  it('takes a header without rows', async () => {
    const { status, body } = await propose(['file', 'Id,Name\n', 'claims.CSV'])
    expect([status, body.value.recordsCount, body.value.fields.length]).toEqual([200, 0, 2])
  })

  it.for<{ why: string; parts: FormPart[]; status: number; says: string }>([
    { why: 'no file', parts: [['name', 'x']], status: 400, says: uploadMessages.fileRequired },
    { why: 'an empty file', parts: [['file', '', 'a.csv']], status: 400, says: uploadMessages.fileEmpty },
    {
      why: 'nothing but line ends',
      parts: [['file', '\n\n', 'a.csv']],
      status: 400,
      says: fileProblemMessages.emptyFile,
    },
    {
      why: 'an open quote',
      parts: [['file', 'a\n"b', 'a.csv']],
      status: 400,
      says: fileProblemMessages.unclosedQuote(2),
    },
    {
      why: 'another encoding',
      parts: [['file', Buffer.from('a\nM\xfcller', 'latin1'), 'a.csv']],
      status: 400,
      says: fileProblemMessages.notUtf8(2),
    },
    {
      why: 'a text named .xlsx',
      parts: [['file', 'a\n1', 'a.xlsx']],
      status: 400,
      says: fileProblemMessages.notAWorkbook('a text file, such as CSV'),
    },
    {
      why: 'another ending',
      parts: [['file', csv, 'a.txt']],
      status: 415,
      says: dictionaryMessages.sampleWrongType,
    },
    {
      why: 'a document by its bytes',
      parts: [['file', '%PDF-1.7\n', 'a.csv']],
      status: 415,
      says: dictionaryMessages.sampleWrongType,
    },
    {
      why: 'two files',
      parts: [
        ['file', csv, 'a.csv'],
        ['file', csv, 'b.csv'],
      ],
      status: 400,
      says: uploadMessages.oneFileOnly,
    },
    {
      why: 'a byte too many',
      parts: [['file', Buffer.alloc(uploadLimits.maxBytes + 1, 'a'), 'a.csv']],
      status: 413,
      says: uploadMessages.tooLarge,
    },
  ])('refuses $why ($status) and keeps nothing', async ({ parts, status, says }) => {
    const reply = await propose(...parts)
    expect(reply.status).toBe(status)
    expect(reply.body.message ?? reply.body.errors.file[0]).toBe(says)
    expect(await storedFiles()).toEqual([])
  })

  it('takes a Table Schema, with what it loses as notes, and creates and keeps nothing', async () => {
    const before = await dictionaries()
    const fields = [
      { name: 'Id', type: 'integer', constraints: { required: true, unique: true } },
      { name: 'Born', type: 'date', title: 'Date of birth' },
    ]
    const { status, body } = await propose(['file', JSON.stringify({ fields }), 'my_people.schema.json'])
    expect([status, body.value]).toEqual([
      200,
      {
        name: 'my people',
        recordsCount: null,
        fields: [
          {
            itemName: 'Id',
            description: '',
            category: '',
            ruleType: 1,
            isRequired: true,
            identifiesRow: false,
            ruleConfig: '{"scale":0}',
            reason: '',
          },
          {
            itemName: 'Born',
            description: 'Date of birth',
            category: '',
            ruleType: 2,
            isRequired: false,
            identifiesRow: false,
            ruleConfig: '{"format":"yyyy-MM-dd"}',
            reason: '',
          },
        ],
        ...emptyRuleBook,
        rules: [{ name: 'Key: Id', severity: 'error', then: [{ columns: ['Id'], is: 'unique' }] }],
        notes: ["'Born': the title serves as the description."],
      },
    ])
    expect(await dictionaries()).toEqual(before)
    expect(await storedFiles()).toEqual([])
    const created = await test.call('POST', '/api/DataDictionary', {
      as: test.administrator,
      body: { name: body.value.name, items: body.value.fields },
    })
    expect(created.statusCode).toBe(201)
  })

  it.for<{ why: string; file: string | Buffer; status: number; body: unknown }>([
    {
      why: 'two problems',
      file: '{"fields":[{"name":"a","type":"x"},{"name":" A "}]}',
      status: 400,
      body: [
        "Field 1 'a', type: 'x' is not a type of Table Schema.",
        "Field 2 ' A ', name: ' A ' is already the name of field 1.",
      ],
    },
    {
      why: 'no JSON',
      file: 'a,b\n1,2\n',
      status: 400,
      body: [expect.stringMatching(/^The file is not JSON: /)],
    },
    {
      why: 'another encoding',
      file: Buffer.from('{"fields":[{"name":"M\xfcller"}]}', 'latin1'),
      status: 400,
      body: [tableSchemaProblems.notUtf8],
    },
    { why: 'nothing', file: '', status: 400, body: { errors: { file: [uploadMessages.fileEmpty] } } },
    {
      why: 'a byte too many',
      file: `{"fields":[]}${' '.repeat(dictionaryLimits.maxImportBytes)}`,
      status: 413,
      body: { message: dictionaryMessages.importTooLarge },
    },
  ])('refuses a Table Schema with $why ($status) and keeps nothing', async ({ file, status, body }) => {
    expect(await propose(['file', file, 'a.json'])).toEqual({ status, body })
    expect(await storedFiles()).toEqual([])
  })

  it('is for super administrators', async () => {
    const { body, headers } = await uploadForm(['file', csv, 'a.csv'])
    const reply = await test.call('POST', '/api/DataDictionary/Propose', { as: test.clerk, body, headers })
    expect([reply.statusCode, reply.json()]).toEqual([403, { message: sessionMessages.notAllowed }])
  })

  it.for([
    { fileName: 'exit.csv', status: 400, message: inferenceMessages.notPossible, why: 'the process dies' },
    {
      fileName: 'memory.csv',
      status: 400,
      message: inferenceMessages.notPossible,
      why: 'the memory is full',
    },
    {
      fileName: 'loop.csv',
      status: 400,
      message: fileProblemMessages.tooSlow(fileGuards.maxMilliseconds / 1000),
      why: 'it takes too long',
    },
  ])('goes on after a file at which $why, and keeps nothing of it', async ({ fileName, status, message }) => {
    const program = fileURLToPath(new URL('../test/misbehave.ts', import.meta.url))
    const validator = createValidatorPool({
      processes: 1,
      program,
      maxHeapMegabytes: 64,
      maxMilliseconds: fileName === 'loop.csv' ? 2_000 : 30_000,
    })
    async function* parts() {
      yield {
        kind: 'file' as const,
        name: 'file',
        fileName,
        content: (async function* () {
          yield Buffer.from(csv)
        })(),
      }
    }
    await expect(proposeDictionary(parts(), { ...test.deps, validator })).rejects.toMatchObject({
      status,
      message,
    })
    validator.close()
    expect(await storedFiles()).toEqual([])
  })

  it('holds few samples of one person in memory at once', async () => {
    const own = await createTestApp()
    const { promise: hanging, reject } = Promise.withResolvers()
    own.deps.validator = { ...own.deps.validator, run: () => hanging as never }
    const { body, headers } = await uploadForm(['file', csv, 'a.csv'])
    const ask = () =>
      own.call('POST', '/api/DataDictionary/Propose', { as: own.administrator, body, headers })
    const asked = Array.from({ length: dictionaryLimits.samplesAtOnce + 1 }, ask)
    // The others wait for the validator.
    expect((await Promise.race(asked)).statusCode).toBe(429)
    reject(new ValidatorError('timeout', 'too slow'))
    const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode)
    expect(statuses.toSorted()).toEqual([...Array(dictionaryLimits.samplesAtOnce).fill(400), 429])
    expect((await ask()).statusCode).toBe(400)
    await own.close()
  })

  it('ends when its caller is gone, and keeps nothing', async () => {
    const program = fileURLToPath(new URL('../test/misbehave.ts', import.meta.url))
    const validator = createValidatorPool({ processes: 1, program })
    const own = await createTestApp()
    let asking: Promise<unknown> | undefined
    own.deps.validator = { ...validator, run: (...work) => (asking = validator.run(...work)) as never }
    const { body, headers } = await uploadForm(['file', csv, 'hang.csv'])
    const authorization = `Bearer ${await own.tokenOf(own.administrator)}`
    const address = await own.app.listen({ port: 0, host: '127.0.0.1' })
    const leaving = new AbortController()
    const asked = fetch(`${address}/api/DataDictionary/Propose`, {
      method: 'POST',
      headers: { ...headers, authorization, ApiKey: own.deps.env.apiKey },
      body: new Uint8Array(body),
      signal: leaving.signal,
    })
    const left = asked.catch((error: unknown) => error)
    await expect.poll(() => asking !== undefined, { timeout: 10_000 }).toBe(true)
    leaving.abort()
    expect(await left).toMatchObject({ name: 'AbortError' })
    await expect(asking).rejects.toMatchObject({ reason: 'aborted' })
    validator.close()
    await own.close()
  })
})
