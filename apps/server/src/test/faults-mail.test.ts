import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSmtpMailer } from '#platform/mail/smtp.ts'
import { sendPendingMails } from '#mail/send-pending-mails.ts'
import { testPassword } from '#test/factories.ts'
import { createPortalGroup, FAULT_TIMEOUT_MILLISECONDS } from '#test/faults/portal-group.ts'
import { repliesByWord, startSmtpSink, type SmtpReplies } from '#test/smtp-sink.ts'
import { csvOfTwoRows } from '#test/submission-fixture.ts'
import { createTestOutbox } from '#test/test-outbox.ts'

/** A mail server that is down, refuses e-mails or closes connections. The mailer is that of the portal. */
vi.setConfig({ testTimeout: FAULT_TIMEOUT_MILLISECONDS })
const outbox = createTestOutbox()
const { queue, rows, passTime } = outbox

async function mailServer(replies: SmtpReplies) {
  const sink = await startSmtpSink(replies)
  const mailer = createSmtpMailer(sink.url, 'Veridict <v@example.test>')
  onTestFinished(async () => {
    await mailer.close()
    await sink.close()
  })
  return { sink, mailer, run: () => outbox.run(mailer) }
}

describe('A mail server that fails', () => {
  it('F19: delays e-mails while it is down or refuses; then each is sent once and in order', async () => {
    const recipients = ['a@example.test', 'b@example.test', 'c@example.test']
    const { sink, run } = await mailServer(() => 'hang up')
    for (let number = 0; number < 30; number++) await queue(recipients[number % recipients.length]!)
    const unavailable = [
      () => 'hang up',
      repliesByWord({ MAIL: '451 try again later' }),
      repliesByWord({ RCPT: '450 mailbox busy' }),
      repliesByWord({ '.': '452 disk full' }),
      repliesByWord({ EHLO: '421 service not available', HELO: '421 service not available' }),
    ]
    // Together an hour of virtual time.
    for (const replies of unavailable) {
      sink.replies = replies
      await run()
      await passTime('12 minutes')
    }
    expect(sink.acceptedMails).toEqual([])
    sink.replies = () => null
    for (let minute = 0; minute < 5; minute++) {
      await run()
      await passTime('1 minute')
    }
    const all = await rows()
    expect(all.filter(({ sentAt }) => sentAt === null)).toEqual([])
    expect(sink.acceptedMails).toHaveLength(all.length)
    for (const recipient of recipients) {
      const isTheirs = (mail: { recipient: string }) => mail.recipient === recipient
      const expected = all.filter(isTheirs).map(({ messageId }) => messageId)
      expect(sink.acceptedMails.filter(isTheirs).map(({ messageId }) => messageId)).toEqual(expected)
    }
  })

  it('F19: stops neither uploads nor logins, and gets its e-mails when it is back', async () => {
    const group = await createPortalGroup()
    onTestFinished(() => group.close())
    const first = await startSmtpSink()
    await first.close()
    const process = await group.start({ SMTP_URL: first.url })
    for (let number = 0; number < 3; number++) await group.upload(process, csvOfTwoRows)
    await expect.poll(group.isSettled, { timeout: 60_000 }).toBe(true)
    expect(group.sent.map(({ status }) => status)).toEqual([202, 202, 202])
    const login = await fetch(`${process.address}/api/Login`, {
      method: 'POST',
      headers: { ...group.uploader.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ email: group.uploader.clerk.email, password: testPassword }),
    })
    expect(login.status).toBe(200)

    const back = await startSmtpSink(() => null, Number(new URL(first.url).port))
    onTestFinished(() => back.close())
    await group.upload(process, csvOfTwoRows)
    await expect.poll(() => back.acceptedMails.length, { timeout: 60_000 }).toBe(4)
    const mails = await group.db.selectFrom('mails').selectAll().orderBy('id').execute()
    expect(back.acceptedMails).toEqual(mails.map(({ recipient, messageId }) => ({ recipient, messageId })))
  })

  it('F20: after it took an e-mail gets that once more, with the same Message-ID', async () => {
    for (const name of ['a', 'b', 'c']) await queue(`${name}@example.test`)
    const { sink, run } = await mailServer((line) => (line === '.' ? 'hang up' : null))
    await run()
    const [lost] = sink.received.filter((line) => line.startsWith('Message-ID'))
    sink.replies = () => null
    await run()
    const ids = (await rows()).map(({ messageId }) => messageId)
    expect(lost).toBe(`Message-ID: ${ids[0]}`)
    expect(sink.acceptedMails.map(({ messageId }) => messageId)).toEqual(ids)
  })

  it('F21: for a bad address has this e-mail parked and logged, and gets the others', async () => {
    for (const name of ['bad', 'good', 'bad', 'other']) await queue(`${name}@example.test`)
    const errors: unknown[] = []
    const { sink, mailer } = await mailServer((line) =>
      line.startsWith('RCPT TO:<bad@') ? '550 no such user' : null,
    )
    const { deps } = outbox.portal
    const log = { ...deps.log, error: (facts: unknown) => void errors.push(facts) } as never
    await sendPendingMails({ ...deps, mailer, log })
    expect(sink.acceptedMails.map(({ recipient }) => recipient)).toEqual([
      'good@example.test',
      'other@example.test',
    ])
    const parked = (await rows()).filter(({ parkedAt }) => parkedAt !== null)
    expect(parked.map(({ recipient, lastError }) => [recipient, lastError])).toEqual([
      ['bad@example.test', expect.stringContaining('550 no such user')],
      ['bad@example.test', expect.stringContaining('550 no such user')],
    ])
    expect(errors).toMatchObject(parked.map(({ id }) => ({ mailId: id })))
  })
})
