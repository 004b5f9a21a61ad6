import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
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

/** Several portals on one database: one is frozen, killed or stopped while the others go on. */
vi.setConfig({ testTimeout: FAULT_TIMEOUT_MILLISECONDS, hookTimeout: FAULT_TIMEOUT_MILLISECONDS })
const failing = failingOf(5_000)

let group: PortalGroup
let kills = 0

beforeAll(async () => {
  group = await createPortalGroup()
  await recordOutcomes(group, [small, passing, failing])
})
afterAll(() => group.close())

const isFrozen = ({ child }: PortalProcess) =>
  spawnSync('ps', ['-o', 'stat=', '-p', String(child.pid)], { encoding: 'utf8' }).stdout.startsWith('T')

const countWorkers = async ({ address }: PortalProcess): Promise<number> =>
  (await (await fetch(`${address}/api/ready`)).json()).value.workers

/** Opens the live connection of the clerk and records the last status of each submission. */
async function watch({ address }: PortalProcess): Promise<Map<number, number>> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`)
  onTestFinished(() => socket.terminate())
  const last = new Map<number, number>()
  socket.on('message', (data) => {
    const { FileId, FilesStatus } = JSON.parse((data as Buffer).toString())
    last.set(FileId, FilesStatus)
  })
  await once(socket, 'open')
  const { clerk, headers, token } = group.uploader
  const { ApiKey } = headers
  socket.send(JSON.stringify({ ApiKey, ClientRole: 'Consumer', UserId: clerk.id, AccessToken: token }))
  await expect.poll(() => last.size, { timeout: 30_000 }).toBeGreaterThan(0)
  return last
}

describe('A portal', () => {
  it('F8, F38: that was frozen while others took over is not counted, and changes nothing', async () => {
    const frozen = []
    for (const [from, at, content] of [
      [group.storageFolder, 8, passing],
      // The 12th call of the first job after the upload is in the middle of the validation.
      ['', 12, failing],
    ] as const) {
      const portal = await startWithPreload(group)
      frozen.push(portal)
      if (from !== '') await planSignal(portal, { from, at, signal: 'SIGSTOP' })
      expect((await group.upload(portal, content)).status).toBe(202)
      if (from === '') await planSignal(portal, { from, at, signal: 'SIGSTOP' })
      await expect.poll(() => isFrozen(portal)).toBe(true)
    }
    const other = await group.start()
    await expect.poll(group.isSettled, { timeout: 100_000 }).toBe(true)
    // Before this, its lease had to end: it was silent for as long.
    await expect.poll(() => countWorkers(other), { timeout: 30_000 }).toBe(1)
    const before = await group.rows()
    for (const { child } of frozen) child.kill('SIGCONT')
    await expect.poll(() => countWorkers(other)).toBe(3)
    await sleep(2_000)
    expect(await group.rows()).toEqual(before)
    for (const portal of [...frozen, other]) await portal.end('SIGTERM')
    await group.expectInvariants({ kills: (kills += 2) })
  })

  it('F10: sends the changes that another makes, and takes over when that dies', async () => {
    const [first, second] = [await group.start(), await group.start()]
    const seen = await watch(second)
    const uploads = await Promise.all(
      [small, passing, failing].map((content) => group.upload(first, content)),
    )
    kills++
    await first.end('SIGKILL')
    const { IngestionSuccess, ValidationFailed } = SubmissionStatus
    await expect
      .poll(() => uploads.map(({ id }) => seen.get(id ?? 0)), { timeout: 60_000 })
      .toEqual([IngestionSuccess, IngestionSuccess, ValidationFailed])
    await second.end('SIGTERM')
    await group.expectInvariants({ kills })
  })

  it('F29: that is restarted under load refuses or resets connections, and loses no file', async () => {
    const random = new Random(29)
    let portal = await group.start({ DRAIN_SECONDS: '1' })
    let isOver = false
    const first = group.sent.length
    const clients = Array.from({ length: 4 }, async (_, index) => {
      while (!isOver) {
        await group.upload(portal, [small, failing][index % 2]!)
        await sleep(20)
      }
    })
    for (let round = 0; round < roundsOf(1); round++) {
      await sleep(500 + 1_000 * random.next())
      const ended = once(portal.child, 'exit')
      portal.child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
      portal = await group.start({ DRAIN_SECONDS: '1' })
    }
    isOver = true
    await Promise.all(clients)
    const rows = await group.rows()
    for (const { fileName, status, error } of group.sent.slice(first)) {
      if (status === 202) continue
      // The second for a connection that the system took in the moment in which the portal took no more.
      expect(['ECONNREFUSED', 'ECONNRESET']).toContain(error)
      expect(rows.filter((row) => row.fileName === fileName)).toEqual([])
    }
    await group.expectInvariants({ kills })
    await portal.end('SIGTERM')
  })
})
