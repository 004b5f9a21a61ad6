import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connectionLimits, downloadLimits } from '@veridict/contract/limits'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { ErrorType } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { SubmissionRow, UserRow } from '#platform/database/tables.ts'
import { Gate } from '#platform/admission/gate.ts'
import { createValidatorPool } from '#platform/validator/create-validator-pool.ts'
import { generatedErrorFileName } from '#submissions/generated-error-files.ts'
import { buildUser } from '#test/factories.ts'
import { fillLimit } from '#test/fill-limit.ts'
import { buildStoredSubmission } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const program = fileURLToPath(new URL('../../test/misbehave.ts', import.meta.url))
const MIB = 1024 * 1024

let portal: TestApp
let address: string
let otherClerk: UserRow
beforeAll(async () => {
  portal = await createTestApp()
  address = await portal.app.listen({ port: 0, host: '127.0.0.1' })
  otherClerk = await buildUser(portal.deps.db)
  return () => portal.close()
})

/** Returns what shows whether all places of a person are taken. */
function limitDownloads({ perPerson = 1, stalledMilliseconds = 60_000 }) {
  const downloads = new Gate({ perKey: perPerson })
  Object.assign(portal.deps.limits, { downloads, stalledMilliseconds })
  return (person: UserRow) => {
    const leave = downloads.tryEnter(String(person.id))
    leave?.()
    return leave === null
  }
}

const submit = (clerk: UserRow, fileName: string): Promise<SubmissionRow> =>
  buildStoredSubmission(portal.deps, {
    userId: clerk.id,
    companyId: clerk.companyId ?? 0,
    fileName,
    status: SubmissionStatus.ValidationFailed,
    errorType: ErrorType.RowErrors,
  })

/** Asks for an error file; `arrived` settles with the response, whose body is not read yet. */
async function ask(clerk: UserRow, { id }: SubmissionRow) {
  const headers = { ApiKey: portal.deps.env.apiKey, authorization: `Bearer ${await portal.tokenOf(clerk)}` }
  const request = get(`${address}/api/ErrorFile/${id}/Simple`, { headers, agent: false })
  const arrived = once(request, 'response').then(([response]) => response as IncomingMessage)
  arrived.catch(() => {})
  return { arrived, leave: () => request.destroy() }
}

async function statusOf(clerk: UserRow, submission: SubmissionRow): Promise<number | undefined> {
  const response = await (await ask(clerk, submission)).arrived
  response.resume()
  return response.statusCode
}

/** The file of a submission, as if it had been made before. */
async function makeBefore({ storageKey }: SubmissionRow, bytes: number): Promise<void> {
  const name = generatedErrorFileName(storageKey, 'errors')
  const file = await portal.deps.generatedFiles.open(name, (path) => writeFile(path, Buffer.alloc(bytes)))
  await file.close()
}

it('A client that takes no byte of its replies is cut, also without an account', async () => {
  limitDownloads({ stalledMilliseconds: 500 })
  const { port } = new URL(address)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  // Together more than the buffers of a connection hold.
  socket.write(
    'GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(connectionLimits.unanswered),
  )
  const isOpen = async () => {
    const count = promisify((done) => portal.app.server.getConnections(done as never))
    return Number(await count()) > 0
  }
  await expect.poll(isOpen).toBe(true)
  await expect.poll(isOpen).toBe(false)
  socket.destroy()
})

it('A call that was sent behind another one may take longer than a client may take no byte', async () => {
  limitDownloads({ stalledMilliseconds: 200 })
  const { calls } = portal.deps.limits
  onTestFinished(() => void (portal.deps.limits.calls = calls))
  portal.deps.limits.calls = new Gate({ perKey: 1, maxWaitingOfKey: 1, maxWaitingBytesOfKey: 1000 })
  const endFirst = await portal.deps.limits.calls.enter(String(otherClerk.id))
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const authorization = `Bearer ${await portal.tokenOf(otherClerk)}`
  const { apiKey } = portal.deps.env
  const headers = `Host: localhost\r\nApiKey: ${apiKey}\r\nAuthorization: ${authorization}\r\n\r\n`
  socket.write(`GET /api/health HTTP/1.1\r\n${headers}GET /api/FileSubmission HTTP/1.1\r\n${headers}`)
  const ended = once(socket, 'close').then(() => 'closed')
  let replies = ''
  socket.on('data', (chunk: Buffer) => (replies += chunk.toString()))
  expect(await Promise.race([ended, sleep(1000)])).toBeUndefined()
  endFirst()
  await expect.poll(() => replies.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
})

describe('Downloads of one person', () => {
  it('are limited while files are made, also when the client has left; others are not', async () => {
    const validator = createValidatorPool({ processes: 1, program })
    const own = portal.deps.validator
    onTestFinished(() => void (portal.deps.validator = own))
    portal.deps.validator = validator
    const files = [1, 2, 3].map(() => submit(portal.clerk, 'hang.csv'))
    const [first, second, third] = await Promise.all(files)
    await makeBefore(third!, 1)
    const hasNoPlace = limitDownloads({ perPerson: 2 })
    const running = [await ask(portal.clerk, first!), await ask(portal.clerk, second!)]
    await expect.poll(() => hasNoPlace(portal.clerk)).toBe(true)
    expect(await statusOf(portal.clerk, third!)).toBe(429)
    running[0]?.leave()
    const refused = await (await ask(portal.clerk, third!)).arrived
    expect(refused).toMatchObject({ statusCode: 429, headers: { 'retry-after': '5' } })
    const { message } = JSON.parse(String((await refused.toArray())[0])) as { message: string }
    expect(message).toBe(noticeMessages.tooManyDownloads(downloadLimits.perPerson))

    const ofOther = await submit(otherClerk, 'good.csv')
    await makeBefore(ofOther, 1)
    expect(await statusOf(otherClerk, ofOther)).toBe(200)

    validator.close()
    expect((await running[1]?.arrived)?.statusCode).toBe(503)
    await expect.poll(() => statusOf(portal.clerk, third!)).toBe(200)
  })

  it('free their place when a client that takes no byte is cut', async () => {
    limitDownloads({ stalledMilliseconds: 500 })
    const submission = await submit(portal.clerk, 'large.csv')
    await makeBefore(submission, 64 * MIB)
    const stalled = await (await ask(portal.clerk, submission)).arrived
    expect(stalled.statusCode).toBe(200)
    expect(await statusOf(portal.clerk, submission)).toBe(429)
    await expect.poll(() => statusOf(portal.clerk, submission)).toBe(200)
    await expect(stalled.toArray()).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('are at most so many a minute', async () => {
    limitDownloads({ perPerson: 4 })
    const clerk = await buildUser(portal.deps.db)
    const submission = await submit(clerk, 'again.csv')
    await makeBefore(submission, 1)
    expect(await statusOf(clerk, submission)).toBe(200)
    await fillLimit(portal.deps.db, 'download', String(clerk.id))
    expect(await statusOf(clerk, submission)).toBe(429)
  })

  it('stay open while their clients take bytes slowly', async () => {
    const stalledMilliseconds = 2_000
    limitDownloads({ stalledMilliseconds })
    const submission = await submit(otherClerk, 'large.csv')
    await makeBefore(submission, 32 * MIB)
    const response = await (await ask(otherClerk, submission)).arrived
    let [bytes, pauses] = [0, 0]
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length
      if (bytes > pauses * 2 * MIB && ++pauses) await sleep(stalledMilliseconds / 8)
    }
    expect(bytes).toBe(32 * MIB)
  })
})
