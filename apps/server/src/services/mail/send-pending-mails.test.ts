import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MailRow } from '#db/tables.ts'
import { MailRefusedError, type OutgoingMail } from '#drivers/mail/mailer.ts'
import { inTransaction } from '#db/transaction.ts'
import { composeMail } from '#mail/mail-message.ts'
import { queueMail } from '#services/mail/queue-mail.ts'
import { sendPendingMails } from '#services/mail/send-pending-mails.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())
beforeEach(async () => {
  await portal.deps.db.deleteFrom('mails').execute()
})

const message = composeMail({ subject: 'Grüße', name: 'Ada', opening: ['Hello.'] })
const queue = (recipient: string) =>
  inTransaction(portal.deps.db, (trx) => queueMail(recipient, message, trx, portal.deps))
const rows = (): Promise<MailRow[]> => portal.deps.db.selectFrom('mails').selectAll().orderBy('id').execute()
const makeDue = () =>
  portal.deps.db
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
  return { taken, run: () => sendPendingMails({ ...portal.deps, mailer }) }
}
const down = () => {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNECTION' })
}
const refuse = () => {
  throw new MailRefusedError('550 no such user')
}

describe('The outbox', () => {
  it('contains an e-mail exactly if its transaction commits', async () => {
    await inTransaction(portal.deps.db, async (trx) => {
      await queueMail('a@example.test', message, trx, portal.deps)
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

  it('is sent once by several workers at once', async () => {
    for (let number = 0; number < 10; number++) await queue(`${number}@example.test`)
    const { taken, run } = receiver(() => {})
    await Promise.all([run(), run(), run()])
    expect(new Set(taken.map((mail) => mail.messageId)).size).toBe(10)
    expect(taken).toHaveLength(10)
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
    await receiver(refuse).run()
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
      await portal.deps.db
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
    await portal.deps.db
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

  it('skips a refused address, tries it again, and parks it after 8 attempts', async () => {
    await queue('bad@example.test')
    await queue('good@example.test')
    const { taken, run } = receiver((mail) => (mail.recipient.startsWith('bad') ? refuse() : undefined))
    await run()
    expect(taken.map((mail) => mail.recipient)).toEqual(['good@example.test'])
    for (let attempt = 2; attempt <= 8; attempt++) {
      await makeDue()
      await run()
    }
    const [bad] = await rows()
    expect(bad).toMatchObject({
      attempts: 8,
      parkedAt: expect.any(Date),
      lastError: '550 no such user',
      textBody: '',
    })
  })
})

describe('The outbox folder', () => {
  it('gets a file for mail programs, with one recipient whatever the address contains', async () => {
    await queue('a@example.test, victim@example.test')
    await sendPendingMails(portal.deps)
    const folder = join(portal.deps.env.dataDir, 'outbox')
    const [name] = await readdir(folder)
    const text = await readFile(join(folder, name), 'utf8')
    expect(name).toMatch(/^[\w.@-]+\.eml$/)
    expect(text).toMatch(/^Subject: =\?UTF-8\?Q\?Gr=C3=BC=C3=9Fe\?=\r$/m)
    expect(text).toMatch(/^Message-ID: <[0-9a-f-]{36}@localhost>\r$/m)
    expect(text).toContain('Content-Type: text/html')
    expect(text.match(/^To: .*$/m)?.[0]).toMatch(/^To: <?"?a@example\.test, victim"?@example\.test>?/)
  })
})
