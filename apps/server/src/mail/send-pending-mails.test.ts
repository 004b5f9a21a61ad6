import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sessionTimes } from '@veridict/contract/limits'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { MailRefusedError, type OutgoingMail } from '#platform/mail/mailer.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { queueMail } from '#mail/queue-mail.ts'
import { sendPendingMails } from '#mail/send-pending-mails.ts'
import { sendPasswordLink } from '#users/send-password-link.ts'
import { tidyDatabase } from '#operations/tidy-database.ts'
import { createBreakableProxy } from '#test/breakable-proxy.ts'
import { createTestOutbox, testMail } from '#test/test-outbox.ts'

const outbox = createTestOutbox()
const { queue, rows } = outbox
const makeDue = () =>
  outbox.portal.deps.db
    .updateTable('mails')
    .set({ nextAttemptAt: new Date(0) })
    .execute()

/** A mail server; `receive` may throw. */
function receiver(receive: (mail: OutgoingMail) => void) {
  const taken: OutgoingMail[] = []
  const mailer = {
    async send(mail: OutgoingMail) {
      receive(mail)
      taken.push(mail)
    },
    async close() {},
  }
  return { taken, run: () => outbox.run(mailer) }
}
const down = () => {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNECTION' })
}
const refuse = (reply: '451 try again later' | '550 no such user') => {
  throw new MailRefusedError(reply, { isPermanent: reply.startsWith('5') })
}
describe('The outbox', () => {
  it('contains an e-mail exactly if its transaction commits', async () => {
    await inTransaction(outbox.portal.deps.db, async (trx) => {
      await queueMail('a@example.test', testMail, trx, outbox.portal.deps)
      throw new Error('rolled back')
    }).catch(() => {})
    expect(await rows()).toEqual([])
  })

  it('is sent in order and once, and its texts are deleted then', async () => {
    for (const name of ['a', 'b', 'c']) await queue(`${name}@example.test`)
    const { taken, run } = receiver(() => {})
    expect(await run()).toEqual({ sent: 3, isBlocked: false })
    expect(await run()).toEqual({ sent: 0, isBlocked: false })
    expect(taken.map((mail) => mail.recipient)).toEqual([
      'a@example.test',
      'b@example.test',
      'c@example.test',
    ])
    expect(
      (await rows()).every((mail) => mail.sentAt !== null && mail.textBody === '' && mail.htmlBody === ''),
    ).toBe(true)
  })

  it('is sent by one run also where several e-mails are for one person, in order', async () => {
    for (let number = 0; number < 3; number++) await queue('a@example.test')
    const wanted = (await rows()).map(({ messageId }) => messageId)
    const { taken, run } = receiver(() => {})
    expect(await run()).toEqual({ sent: 3, isBlocked: false })
    expect(taken.map(({ messageId }) => messageId)).toEqual(wanted)
    expect((await rows()).map(({ attempts, sentAt }) => [attempts, sentAt !== null])).toEqual([
      [1, true],
      [1, true],
      [1, true],
    ])
  })

  it('is sent once by several workers at once', async () => {
    for (let number = 0; number < 10; number++) await queue(`${number}@example.test`)
    const { taken, run } = receiver(() => {})
    await Promise.all([run(), run(), run()])
    expect(new Set(taken.map((mail) => mail.messageId)).size).toBe(10)
    expect(taken).toHaveLength(10)
  })

  it('is sent once although the mail server takes longer than a claim lasts', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await queue('a@example.test')
    const other = receiver(() => {})
    const send = async () => {
      await makeDue()
      vi.advanceTimersByTime(30_000)
      await expect.poll(async () => (await rows())[0]!.nextAttemptAt > new Date()).toBe(true)
      expect(await other.run()).toEqual({ sent: 0, isBlocked: false })
    }
    expect(await outbox.run({ send, async close() {} })).toEqual({ sent: 1, isBlocked: false })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('keeps its order and its e-mails while the server is down', async () => {
    for (const name of ['a', 'b']) await queue(`${name}@example.test`)
    const outage = receiver(down)
    for (let time = 0; time < 3; time++) expect(await outage.run()).toEqual({ sent: 0, isBlocked: true })
    const back = receiver(() => {})
    await back.run()
    expect(back.taken.map((mail) => mail.recipient)).toEqual(['a@example.test', 'b@example.test'])
  })

  it('does not park an e-mail because the server was down', async () => {
    await queue('a@example.test')
    const outage = receiver(down)
    for (let time = 0; time < 20; time++) {
      await makeDue()
      await outage.run()
    }
    await makeDue()
    // Greylisting: many servers refuse the first attempt of an unknown sender.
    await receiver(() => refuse('451 try again later')).run()
    await makeDue()
    const { taken, run } = receiver(() => {})
    await run()
    expect(taken).toHaveLength(1)
  })

  it.for([
    { age: 0, why: 'to keep the order', first: 'a@example.test' },
    { age: 200, why: 'because it may be the cause of the outage', first: 'b@example.test' },
  ])(
    'continues with $first after an outage that began with an e-mail of $age s, $why',
    async ({ age, first }) => {
      await queue('a@example.test')
      await outbox.portal.deps.db
        .updateTable('mails')
        .set({ createdAt: new Date(Date.now() - age * 1000) })
        .execute()
      await queue('b@example.test')
      await receiver(down).run()
      const { taken, run } = receiver(() => {})
      await run()
      expect(taken[0]?.recipient).toBe(first)
    },
  )

  it('continues at once when the clock was set back', async () => {
    await queue('a@example.test')
    await outbox.portal.deps.db
      .updateTable('mails')
      .set({ nextAttemptAt: new Date(Date.now() + 86_400_000) })
      .execute()
    const { taken, run } = receiver(() => {})
    await run()
    expect(taken).toHaveLength(1)
  })

  it('keeps the Message-ID in a second attempt, so that a duplicate can be recognized', async () => {
    await queue('a@example.test')
    const cut = receiver(down)
    await cut.run()
    const [before] = await rows()
    const { taken, run } = receiver(() => {})
    await run()
    expect(taken[0].messageId).toBe(before.messageId)
    expect(taken[0].messageId).toMatch(/^<[0-9a-f-]{36}@localhost>$/)
  })

  it('is sent once although the database was away when the server had taken it', async () => {
    await queue('a@example.test')
    const proxy = await createBreakableProxy(outbox.portal.deps.env.databaseUrl)
    const db = openDatabase(proxy.url)
    const taken: string[] = []
    const send = async ({ recipient }: OutgoingMail) => {
      taken.push(recipient)
      proxy.break()
      setTimeout(() => proxy.restore(), 500)
    }
    const mailer = { send, async close() {} }
    expect(await sendPendingMails({ ...outbox.portal.deps, db, mailer })).toEqual({
      sent: 1,
      isBlocked: false,
    })
    expect(taken).toHaveLength(1)
    expect((await rows())[0]?.sentAt).not.toBeNull()
    await db.destroy()
    await proxy.close()
  })

  it('is marked as sent although the next e-mail cannot be claimed', async () => {
    for (const name of ['a', 'b']) await queue(`${name}@example.test`)
    const { owner } = outbox.portal
    const failing = sql`create function time_out() returns trigger language plpgsql as $$ begin
      raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$`
    await failing.execute(owner)
    await sql`create trigger slow_claim before update of attempts on mails for each row
      when (old.recipient = 'b@example.test') execute function time_out()`.execute(owner)
    const { taken, run } = receiver(() => {})
    await expect(run()).rejects.toThrow('statement timeout')
    await sql`drop function time_out() cascade`.execute(owner)
    expect((await rows()).map(({ sentAt, textBody }) => [sentAt !== null, textBody === ''])).toEqual([
      [true, true],
      [false, false],
    ])
    await run()
    expect(taken.map(({ recipient }) => recipient)).toEqual(['a@example.test', 'b@example.test'])
  })

  it('parks what the server refuses for good, with its text, and goes on', async () => {
    await queue('bad@example.test')
    await queue('good@example.test')
    const { taken, run } = receiver((mail) =>
      mail.recipient.startsWith('bad') ? refuse('550 no such user') : undefined,
    )
    await run()
    // Neither is it sent again when it is due, nor does it hold back others for its recipient.
    await queue('bad@example.test')
    await makeDue()
    await run()
    expect(taken.map((mail) => mail.recipient)).toEqual(['good@example.test'])
    expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 1, 1])
    const [bad] = await rows()
    expect(bad).toMatchObject({ parkedAt: expect.any(Date), lastError: '550 no such user' })
    expect(bad.textBody).toContain('Hello.')
  })

  it('keeps no token of a link that the server quotes', async () => {
    await queue('a@example.test')
    const reply = '550 spam: https://portal.test/set-password?email=a&token=s3-cr_et in your text'
    await receiver(() => {
      throw new MailRefusedError(reply, { isPermanent: true })
    }).run()
    const [{ lastError }] = await rows()
    expect(lastError).toBe('550 spam: https://portal.test/set-password?email=a&token=… in your text')
  })

  it('is retried for three days when the server refuses for now, at growing intervals', async () => {
    await queue('a@example.test')
    const { run } = receiver(() => refuse('451 try again later'))
    const delays: number[] = []
    for (const interval of ['0 s', '15 s', '15 min', '1 hour', '1 day', '46 hours']) {
      await outbox.passTime(interval)
      await run()
      const [mail] = await rows()
      expect(mail.parkedAt, interval).toBeNull()
      delays.push(Math.round((mail.nextAttemptAt.getTime() - Date.now()) / 60_000))
    }
    expect(delays).toEqual([0, 0, 1, 4, 60, 60])
    await outbox.passTime('2 hours')
    await run()
    expect((await rows())[0]).toMatchObject({ attempts: 7, parkedAt: expect.any(Date) })
  })

  it('is in order for each recipient: a retry holds back only the same recipient', async () => {
    await queue('slow@example.test')
    await receiver(() => refuse('451 try again later')).run()
    await queue('slow@example.test')
    await queue('other@example.test')
    const { taken, run } = receiver(() => {})
    await run()
    expect(taken.map((mail) => mail.recipient)).toEqual(['other@example.test'])
    await makeDue()
    await run()
    const [first, second] = await rows()
    expect(taken.slice(1).map((mail) => mail.messageId)).toEqual([first.messageId, second.messageId])
  })
})

describe('A link to set a password', () => {
  const linkOf = () =>
    outbox.portal.deps.db
      .selectFrom('passwordLinks')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()

  it('expires by the time since its e-mail was sent, however late, and is not deleted before', async () => {
    const { db } = outbox.portal.deps
    await inTransaction(db, (trx) => sendPasswordLink(outbox.portal.clerk, 'reset', trx, outbox.portal.deps))
    await db
      .updateTable('passwordLinks')
      .set({ expiresAt: new Date(Date.now() - 2 * 86_400_000) })
      .execute()
    await tidyDatabase(outbox.portal.deps)
    await receiver(() => {}).run()
    const life = (await linkOf()).expiresAt.getTime() - Date.now()
    expect(Math.abs(life - sessionTimes.resetLink)).toBeLessThan(60_000)
  })
})

describe('The outbox folder', () => {
  it('gets a file for mail programs, with one recipient whatever the address contains', async () => {
    await queue('a@example.test, victim@example.test')
    await sendPendingMails(outbox.portal.deps)
    const folder = join(outbox.portal.deps.env.dataDir, 'outbox')
    const [name] = await readdir(folder)
    const text = await readFile(join(folder, name), 'utf8')
    expect(name).toMatch(/^[\w.@-]+\.eml$/)
    expect(text).toMatch(/^Subject: =\?UTF-8\?Q\?Gr=C3=BC=C3=9Fe\?=\r$/m)
    expect(text).toMatch(/^Message-ID: <[0-9a-f-]{36}@localhost>\r$/m)
    expect(text).toContain('Content-Type: text/html')
    expect(text.match(/^To: .*$/m)?.[0]).toMatch(/^To: <?"?a@example\.test, victim"?@example\.test>?/)
  })
})
