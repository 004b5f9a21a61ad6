import { emptyRuleBook } from '@veridict/contract/model/row-rule'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createValidatorPool,
  type ValidatorPool,
  type ValidatorSettings,
} from '#platform/validator/create-validator-pool.ts'
import {
  ADMINISTRATORS,
  type Party,
  type Requester,
  type StoreReports,
  ValidatorError,
} from '#platform/validator/validator.ts'

const program = fileURLToPath(new URL('../../test/misbehave.ts', import.meta.url))
let pool: ValidatorPool
const open = (settings: Partial<ValidatorSettings> = {}) => {
  pool = createValidatorPool({ processes: 1, program, ...settings })
}
afterEach(() => pool.close())

const validate = (
  fileName: string,
  signal?: AbortSignal,
  store: StoreReports = async () => {},
  uploader: Requester = { party: 1, person: '1' },
) => pool.validate({ path: '/dev/null', fileName, fields: [] }, store, uploader, signal)
/** The test program returns its process id as the number of records. */
const processOf = async (fileName = 'good.csv') => {
  const verdict = await validate(fileName)
  return verdict.kind === 'passed' ? verdict.recordsCount : -1
}

describe('The validator pool', () => {
  it('uses one process for one file after the other, and it is not ours', async () => {
    open()
    const first = await processOf()
    expect(first).not.toBe(process.pid)
    expect(await processOf()).toBe(first)
  })

  it.for([
    { fileName: 'exit.csv', reason: 'crashed', why: 'the process ends' },
    { fileName: 'kill.csv', reason: 'crashed', why: 'the process is killed' },
    { fileName: 'throw.csv', reason: 'crashed', why: 'the engine throws' },
    { fileName: 'memory.csv', reason: 'crashed', why: 'the heap is full' },
    { fileName: 'loop.csv', reason: 'timeout', why: 'the file never ends' },
    { fileName: 'hang.csv', reason: 'timeout', why: 'no reply comes' },
  ])('survives when $why ($reason), and goes on with a new process', async ({ fileName, reason }) => {
    open({
      maxHeapMegabytes: 64,
      maxMilliseconds: fileName === 'loop.csv' || fileName === 'hang.csv' ? 4_000 : 30_000,
    })
    const before = await processOf()
    await expect(validate(fileName)).rejects.toMatchObject({ name: 'ValidatorError', reason })
    expect(await processOf()).not.toBe(before)
  })

  it('has processes that reach nothing but their folders, whatever a file makes them do', async () => {
    vi.stubEnv('TOKEN_SECRET', 'a secret of the portal')
    vi.stubEnv('NODE_COMPILE_CACHE', '')
    open()
    const ends = await validate('escape.csv').catch(({ message }: Error) => message.split('\n'))
    vi.unstubAllEnvs()
    const denied = 'ERR_ACCESS_DENIED'
    expect(ends).toEqual([
      `read the environment of the portal: ${denied}`,
      `read a file: ${denied}`,
      `list a folder: ${denied}`,
      `write a file: ${denied}`,
      `link a file: ${denied}`,
      `run a program: ${denied}`,
      `start a thread: ${denied}`,
      `connect: ${denied}`,
      expect.stringMatching(/^environment: (?:NODE_CHANNEL_\w+ ?)*TZ$/),
    ])
  })

  it('does not count the time in which our own process stood still', async () => {
    open({ maxMilliseconds: 2_000 })
    const before = await processOf()
    const later = processOf('slow.csv')
    // The request is sent by now.
    await sleep(100)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
    expect(await later).toBe(before)
  })

  it('hands reports over one after the other, before the verdict, however long storing takes', async () => {
    open({ maxMilliseconds: 1_500 })
    const events: string[] = []
    const verdict = await validate('reports.csv', undefined, async ({ firstFaultNumber }) => {
      events.push(`${firstFaultNumber} comes`)
      await sleep(600)
      events.push(`${firstFaultNumber} is stored`)
    })
    expect(events).toEqual([0, 1, 2].flatMap((number) => [`${number} comes`, `${number} is stored`]))
    expect(verdict).toMatchObject({ kind: 'rowErrors', errorRowCount: 3 })
  })

  it('fails with the error of storing reports, and goes on with a new process', async () => {
    open()
    const before = await processOf()
    const failing = validate('reports.csv', undefined, () => Promise.reject(new Error('no room')))
    await expect(failing).rejects.toThrow('no room')
    expect(await processOf()).not.toBe(before)
  })

  it('aborts requests that run and requests that wait', async () => {
    open()
    const controller = new AbortController()
    const running = [1, 2].map(() => validate('hang.csv', controller.signal))
    const waiting = validate('good.csv', controller.signal)
    controller.abort()
    for (const each of [...running, waiting]) await expect(each).rejects.toMatchObject({ reason: 'aborted' })
    expect(await processOf()).toBeGreaterThan(0)
  })

  it('queues files beyond its processes and the one for other companies', async () => {
    open({ processes: 2 })
    const processes = await Promise.all(Array.from({ length: 10 }, () => processOf()))
    expect(new Set(processes).size).toBeLessThanOrEqual(3)
  })

  it('fails only the file that crashed', async () => {
    open({ processes: 2 })
    const results = await Promise.allSettled(
      ['good.csv', 'kill.csv', 'good.csv', 'exit.csv', 'good.csv'].map((name) => validate(name)),
    )
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
  })

  it('validates the file of a colleague before those that one person uploaded first', async () => {
    open()
    const done: string[] = []
    const validateOf = (party: number, person: string) =>
      validate('good.csv', undefined, undefined, { party, person }).then(() => void done.push(person))
    await Promise.all([...['1', '1', '1', '1'].map((person) => validateOf(1, person)), validateOf(1, '2')])
    expect(done).toEqual(['1', '1', '2', '1', '1'])
  })

  it('validates the file of a company beside those of many people of another', async () => {
    open()
    const people = Promise.allSettled(
      Array.from({ length: 6 }, (_, person) =>
        validate('hang.csv', undefined, undefined, { party: 1, person: `${person}` }),
      ),
    )
    await validate('good.csv', undefined, undefined, { party: 2, person: '7' })
    pool.close()
    for (const result of await people) expect(result).toMatchObject({ reason: { reason: 'aborted' } })
  })

  const make = (party: Party, fileName: string, person = '1') =>
    pool.run(
      'writeErrorFile',
      { kind: 'errors', file: { path: '/dev/null', fileName, fields: [] }, outputPath: '/dev/null' },
      { requester: { party, person } },
    )

  it('makes the file of a colleague before those that one person asked for first', async () => {
    open()
    const made: string[] = []
    const makeFor = (person: string) => make(1, 'good.csv', person).then(() => void made.push(person))
    await Promise.all([...['1', '1', '1', '1'].map(makeFor), makeFor('2')])
    expect(made).toEqual(['1', '1', '2', '1', '1'])
  })

  it('makes the files of a company while those of another never end', async () => {
    open()
    const endless = Promise.allSettled(Array.from({ length: 6 }, () => make(1, 'hang.csv')))
    for (const party of [2, 3, ADMINISTRATORS] as const) await make(party, 'good.csv')
    pool.close()
    for (const result of await endless) expect(result).toMatchObject({ reason: { reason: 'aborted' } })
  })

  it('validates and makes files while a comparison never ends, until that is aborted', async () => {
    open()
    const dictionary = { fields: [], ruleBook: { ...emptyRuleBook, day: '2026-11-26' } }
    const file = { fileName: 'hang.csv', bytes: new Uint8Array(1), before: dictionary, after: dictionary }
    const stop = new AbortController()
    const comparison = pool.run('compare', file, { signal: stop.signal })
    for (const party of [1, 2]) await validate('good.csv', undefined, undefined, { party, person: '1' })
    await make(1, 'good.csv')
    stop.abort()
    await expect(comparison).rejects.toMatchObject({ reason: 'aborted' })
  })

  it('rejects all requests when it is closed', async () => {
    open()
    const running = validate('hang.csv')
    const waiting = validate('good.csv')
    const settled = Promise.allSettled([running, waiting])
    pool.close()
    for (const result of await settled)
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ValidatorError) })
  })
})
