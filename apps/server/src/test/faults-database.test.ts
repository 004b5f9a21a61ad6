import { setTimeout as sleep } from 'node:timers/promises'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startOwnCluster, type OwnCluster } from '#test/faults/own-cluster.ts'
import { failingOf, passing } from '#test/faults/contents.ts'
import {
  FAULT_TIMEOUT_MILLISECONDS,
  createPortalGroup,
  roundsOf,
  type PortalGroup,
} from '#test/faults/portal-group.ts'
import { Random } from '#test/fuzz/random.ts'
import type { PortalProcess } from '#test/portal-process.ts'

/** A database that is stopped or hangs while the portal runs. */
vi.setConfig({ testTimeout: FAULT_TIMEOUT_MILLISECONDS, hookTimeout: FAULT_TIMEOUT_MILLISECONDS })
let cluster: OwnCluster
let group: PortalGroup
let portal: PortalProcess

const failing = failingOf(20_000)

beforeAll(async () => {
  cluster = await startOwnCluster()
  group = await createPortalGroup(cluster.url)
  portal = await group.start()
  for (const content of [passing, failing]) await group.recordOutcome(portal, content)
})
afterAll(async () => {
  await group.close()
  await cluster.close()
})

const call = async (path: string) => {
  const signal = AbortSignal.timeout(15_000)
  const reply = await fetch(portal.address + path, { headers: group.uploader.headers, signal })
  return { status: reply.status, message: ((await reply.json()) as { message?: string }).message }
}
const list = () => call('/api/FileSubmission?PageNumber=1&PageSize=10')
const unavailable = { status: 503, message: noticeMessages.unavailable }

/** Expects that the same process serves again within about ten seconds. */
async function expectBack(): Promise<void> {
  await expect.poll(async () => (await list()).status).toBe(200)
  await expect.poll(async () => (await call('/api/ready')).status).toBe(200)
  expect(portal.child.exitCode).toBeNull()
}

describe('A database that is stopped', () => {
  it('F14: makes calls fail with 503 and a sentence, until it is back', async () => {
    await cluster.crash()
    for (let time = 0; time < 5; time++) {
      expect(await list()).toEqual(unavailable)
      expect(await call('/api/ready')).toEqual({ status: 503, message: expect.stringContaining('database') })
      expect((await call('/api/health')).status).toBe(200)
      await sleep(500)
    }
    await cluster.start()
    await expectBack()
  })

  it('F15: while files are received, validated and stored loses and duplicates nothing', async () => {
    const random = new Random(15)
    for (let round = 0; round < roundsOf(3); round++) {
      const uploads = [passing, failing, passing].map((content) => group.upload(portal, content))
      await sleep(random.next() * 1_500)
      await cluster.crash()
      await sleep(500)
      await cluster.start()
      for (const { status } of await Promise.all(uploads)) expect([202, 503]).toContain(status)
      await expectBack()
    }
    await group.expectInvariants({ kills: roundsOf(3) })
  })
})

describe('A database that hangs', () => {
  it('F16: makes calls fail with 503 in time, and leaves no connection in use when it goes on', async () => {
    const resume = await cluster.freeze()
    const calls = Array.from({ length: 30 }, list)
    try {
      for (const reply of await Promise.all(calls)) expect(reply).toEqual(unavailable)
      expect(await list()).toEqual(unavailable)
    } finally {
      resume()
    }
    await expectBack()
    for (const { status } of await Promise.all(Array.from({ length: 30 }, list))) expect(status).toBe(200)
    await group.upload(portal, passing)
    await group.expectInvariants({ kills: roundsOf(3) })
  })
})
