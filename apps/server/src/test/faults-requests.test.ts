import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { small } from '#test/faults/contents.ts'
import {
  FAULT_TIMEOUT_MILLISECONDS,
  createPortalGroup,
  roundsOf,
  type PortalGroup,
} from '#test/faults/portal-group.ts'
import { Random } from '#test/fuzz/random.ts'
import type { PortalProcess } from '#test/portal-process.ts'
import { uploadForm } from '#test/upload-form.ts'

/** Clients that disconnect during a request, or send very slowly. */
vi.setConfig({ testTimeout: FAULT_TIMEOUT_MILLISECONDS, hookTimeout: FAULT_TIMEOUT_MILLISECONDS })
let group: PortalGroup
let portal: PortalProcess

beforeAll(async () => {
  group = await createPortalGroup()
  portal = await group.start()
  await group.recordOutcome(portal, small)
})
afterAll(() => group.close())

/** Opens a connection and sends the beginning of an upload of `bytes` on it. */
async function beginUpload(bytes: number) {
  const content = `Name,Amount\n${'Ada,1.50\n'.repeat(bytes / 9)}`
  const form = await uploadForm(
    ['dataDictionaryId', String(group.uploader.dictionaryId)],
    ['file', content, 'never complete.csv'],
  )
  const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(portal.address).port) })
  socket.on('error', () => {})
  const headers = {
    Host: 'localhost',
    ...group.uploader.headers,
    ...form.headers,
    'Content-Length': form.body.length,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write(`POST /api/FileSubmission HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  return { socket, body: form.body }
}
const staged = () => readdir(join(group.folder, 'storage/.incoming'))

/** How many files, sockets and pipes the process has open. */
async function openHandles(): Promise<number> {
  const { pid } = portal.child
  if (process.platform === 'linux') return (await readdir(`/proc/${pid}/fd`)).length
  return spawnSync('lsof', ['-p', String(pid)], { encoding: 'utf8' }).stdout.split('\n').length
}

describe('A client that does not finish its upload', () => {
  it('F3: leaves no file, no row and nothing open when it breaks off', async () => {
    const before = await openHandles()
    const random = new Random(3)
    for (let round = 0; round < Math.max(10, roundsOf(10)); round++) {
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const { socket, body } = await beginUpload(300_000)
          const part = body.subarray(0, Math.floor(random.next() * (body.length - 1)))
          await new Promise((resolve) => socket.write(part, resolve))
          await sleep(20 * random.next())
          if (random.isLikely(0.5)) socket.resetAndDestroy()
          else socket.destroy()
        }),
      )
    }
    await expect.poll(staged, { timeout: 30_000 }).toEqual([])
    // Connections to the database come and go: ten of them, and the one of the test that asks.
    await expect.poll(openHandles, { timeout: 90_000 }).toBeLessThanOrEqual(before + 2)
    expect((await group.rows()).filter(({ fileName }) => fileName === 'never complete.csv')).toEqual([])
    expect(portal.child.exitCode).toBeNull()
  })

  it('F4: is cut when it sends a byte a second, and others are served meanwhile', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => beginUpload(300_000)))
    // Also after an error: the portal may reset the connection.
    const ends = slow.map(({ socket }) => new Promise((resolve) => socket.on('close', resolve)))
    const timer = setInterval(() => {
      for (const [index, { socket, body }] of slow.entries())
        if (!socket.destroyed) socket.write(body.subarray(index, index + 1))
    }, 1000)
    let isOver = false
    const served = (async () => {
      while (!isOver) {
        expect((await group.upload(portal, small)).status).toBe(202)
        await sleep(2000)
      }
    })()
    await Promise.all(ends)
    clearInterval(timer)
    isOver = true
    await served
    await expect.poll(staged, { timeout: 30_000 }).toEqual([])
    await group.expectInvariants({ kills: 0 })
  })
})
