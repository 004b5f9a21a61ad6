import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import {
  createValidatorPool,
  type ValidatorPool,
  type ValidatorSettings,
} from '#drivers/validator/create-validator-pool.ts'
import { type StoreReports, ValidatorError } from '#drivers/validator/validator.ts'

const program = fileURLToPath(new URL('./test-programs/misbehave.ts', import.meta.url))
let pool: ValidatorPool
const open = (settings: Partial<ValidatorSettings> = {}) => {
  pool = createValidatorPool({ processes: 1, program, ...settings })
}
afterEach(() => pool.close())

const judge = (fileName: string, signal?: AbortSignal, keep: StoreReports = async () => {}) =>
  pool.validate({ path: '/dev/null', fileName, fields: [] }, keep, signal)
/** The test program answers with its process id as the number of records. */
const processOf = async (fileName = 'good.csv') => {
  const verdict = await judge(fileName)
  return verdict.kind === 'passed' ? verdict.recordsCount : -1
}

describe('The validator pool', () => {
  it('keeps its process warm from file to file, and apart from ours', async () => {
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
    { fileName: 'hang.csv', reason: 'timeout', why: 'no answer comes' },
  ])('survives when $why ($reason), and goes on with a new process', async ({ fileName, reason }) => {
    open({
      maxHeapMegabytes: 64,
      maxMilliseconds: fileName === 'loop.csv' || fileName === 'hang.csv' ? 4_000 : 30_000,
    })
    const before = await processOf()
    await expect(judge(fileName)).rejects.toMatchObject({ name: 'ValidatorError', reason })
    expect(await processOf()).not.toBe(before)
  })

  it('holds nothing against a file during which we stood still ourselves', async () => {
    open({ maxMilliseconds: 2_000 })
    const before = await processOf()
    const answer = processOf('slow.csv')
    // Once it is on its way.
    await sleep(100)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
    expect(await answer).toBe(before)
  })

  it('hands reports over one after the other, before the verdict, however long each is kept', async () => {
    open({ maxMilliseconds: 1_000 })
    const told: string[] = []
    const verdict = await judge('reports.csv', undefined, async ({ firstFault }) => {
      told.push(`${firstFault} comes`)
      await sleep(600)
      told.push(`${firstFault} is kept`)
    })
    expect(told).toEqual([0, 1, 2].flatMap((number) => [`${number} comes`, `${number} is kept`]))
    expect(verdict).toMatchObject({ kind: 'rowErrors', errorRowCount: 3 })
  })

  it('fails as the keeping of reports failed, and goes on with a new process', async () => {
    open()
    const before = await processOf()
    const failing = judge('reports.csv', undefined, () => Promise.reject(new Error('no room')))
    await expect(failing).rejects.toThrow('no room')
    expect(await processOf()).not.toBe(before)
  })

  it('ends work that is aborted, and work that had not begun', async () => {
    open()
    const controller = new AbortController()
    const running = judge('hang.csv', controller.signal)
    const waiting = judge('good.csv', controller.signal)
    controller.abort()
    await expect(running).rejects.toMatchObject({ reason: 'aborted' })
    await expect(waiting).rejects.toMatchObject({ reason: 'aborted' })
    expect(await processOf()).toBeGreaterThan(0)
  })

  it('takes files in turn when there are more than processes', async () => {
    open({ processes: 2 })
    const processes = await Promise.all(Array.from({ length: 10 }, () => processOf()))
    expect(new Set(processes).size).toBeLessThanOrEqual(2)
  })

  it('lets a crash hit its own file only', async () => {
    open({ processes: 2 })
    const results = await Promise.allSettled(
      ['good.csv', 'kill.csv', 'good.csv', 'exit.csv', 'good.csv'].map((name) => judge(name)),
    )
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
  })

  it('refuses when it is closed, also those who wait', async () => {
    open()
    const running = judge('hang.csv')
    const waiting = judge('good.csv')
    const settled = Promise.allSettled([running, waiting])
    pool.close()
    for (const result of await settled)
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ValidatorError) })
  })
})
