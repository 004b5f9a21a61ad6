import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { failingOf, passing, small } from '#test/faults/contents.ts'
import { planSignal, startWithPreload } from '#test/faults/planned-signal.ts'
import {
  FAULT_TIMEOUT_MILLISECONDS,
  createPortalGroup,
  recordOutcomes,
  roundsOf,
  type PortalGroup,
} from '#test/faults/portal-group.ts'
import { Random } from '#test/fuzz/random.ts'
import type { PortalProcess } from '#test/portal-process.ts'
import { uploadForm } from '#test/upload-form.ts'

/** Portals that are killed at random moments, and at each call that they make to receive and store a file. */
vi.setConfig({ testTimeout: FAULT_TIMEOUT_MILLISECONDS, hookTimeout: FAULT_TIMEOUT_MILLISECONDS })
const failing = failingOf(100_000)

let group: PortalGroup
let kills = 0

beforeAll(async () => {
  group = await createPortalGroup()
  await recordOutcomes(group, [small, passing, failing])
})
afterAll(() => group.close())

const kill = async (portal: PortalProcess) => {
  kills++
  await portal.end('SIGKILL')
}
async function expectInvariants(): Promise<void> {
  const portal = await group.start()
  await group.expectInvariants({ kills })
  await portal.end('SIGTERM')
}

/** Sends the beginning of a body; resolves when it is sent. */
async function sendPart(
  { address }: PortalProcess,
  body: Buffer,
  bytes: number,
  headers: object,
): Promise<void> {
  const sending = request(`${address}/api/FileSubmission`, {
    method: 'POST',
    headers: { ...group.uploader.headers, ...headers, 'content-length': body.length },
  })
  sending.on('error', () => {})
  await new Promise((resolve) => sending.write(body.subarray(0, bytes), resolve))
}

describe('A portal that is killed', () => {
  it('F1, F5: has no row of a file it was receiving, and the same errors of one it validated', async () => {
    const content = `Name,Amount\n${'Ada Lovelace of Marylebone,1.50\n'.repeat(600_000)}`
    const form = await uploadForm(
      ['dataDictionaryId', String(group.uploader.dictionaryId)],
      ['file', content, 'never complete.csv'],
    )
    const random = new Random(1)
    for (let round = 0; round < roundsOf(1); round++) {
      const portal = await group.start()
      const complete = [failing, passing].map((file) => group.upload(portal, file))
      await Promise.all(random.isLikely(0.5) ? complete : [])
      await sleep(random.next() * 1_500)
      await sendPart(portal, form.body, Math.floor(random.next() * (form.body.length - 1)), form.headers)
      await kill(portal)
      await Promise.all(complete)
    }
    expect((await group.rows()).filter(({ fileName }) => fileName === 'never complete.csv')).toEqual([])
    await expectInvariants()
    expect(await readdir(join(group.folder, 'storage/.incoming'))).toEqual([])
  })

  const untilSettled = async () => {
    while (!(await group.isSettled())) await sleep(50)
  }
  /**
   * Starts a portal and kills it at one of the calls of an upload. First the portal completes the files of
   * earlier portals: otherwise their calls would be counted, and a file that a hundred portals leave would be
   * given up. Returns whether the portal was killed before the file was stored.
   */
  async function killAt(from: string, at: number): Promise<boolean> {
    const portal = await startWithPreload(group)
    await untilSettled()
    const died = once(portal.child, 'exit').then(() => true)
    await planSignal(portal, { from, at, signal: 'SIGKILL' })
    const { error } = await group.upload(portal, small)
    // The connection can end before the exit of the process is noticed.
    if (error !== null) await died
    const isOver = async () => {
      await untilSettled()
      return false
    }
    const hasDied = await Promise.race([died, isOver()])
    if (hasDied) kills++
    else await portal.end('SIGTERM')
    return hasDied
  }
  /** The numbers of the calls at which a portal is killed: all in the long form, else one. */
  const callsToKillAt = (sample: number) =>
    process.env['FAULT_ROUNDS'] === undefined
      ? [sample]
      : Array.from({ length: 500 }, (_, index) => index + 1)

  it('F2: at any call between the first byte and the response loses no accepted file', async () => {
    const before = kills
    for (const at of callsToKillAt(12)) if (!(await killAt('.incoming', at))) break
    expect(kills).toBeGreaterThan(before)
    await expectInvariants()
  })

  it('F6: at any call while it stores a file leaves one complete file', async () => {
    const before = kills
    for (const at of callsToKillAt(12)) if (!(await killAt(group.storageFolder, at))) break
    expect(kills).toBeGreaterThan(before)
    await expectInvariants()
  })
})
