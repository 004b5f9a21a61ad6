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

const letter = composeMail({ subject: 'Grüße', name: 'Ada', opening: ['Hello.'] })
const post = (recipient: string) =>
  inTransaction(portal.deps.db, (trx) => queueMail(recipient, letter, trx, portal.deps))
const rows = (): Promise<MailRow[]> => portal.deps.db.selectFrom('mails').selectAll().orderBy('id').execute()
const makeDue = () =>
  portal.deps.db
    .updateTable('mails')
    .set({ nextAttemptAt: new Date(0) })
    .execute()

/** A receiving side that answers as told. */
function receiver(answer: (mail: OutgoingMail) => void) {
  const taken: OutgoingMail[] = []
  const mailer = {
    async send(mail: OutgoingMail) {
      answer(mail)
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
  it('holds a letter exactly when its transaction commits', async () => {
    await inTransaction(portal.deps.db, async (trx) => {
      await queueMail('a@example.test', letter, trx, portal.deps)
      throw new Error('changed my mind')
    }).catch(() => {})
    expect(await rows()).toEqual([])
  })

  it('hands letters over in order, once, and then forgets what they said', async () => {
    for (const name of ['a', 'b', 'c']) await post(`${name}@example.test`)
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

  it('is not sent twice by workers that run at once', async () => {
    for (let number = 0; number < 10; number++) await post(`${number}@example.test`)
    const { taken, run } = receiver(() => {})
    await Promise.all([run(), run(), run()])
    expect(new Set(taken.map((mail) => mail.messageId)).size).toBe(10)
    expect(taken).toHaveLength(10)
  })

  it('waits in order while the server is down, and loses nothing', async () => {
    for (const name of ['a', 'b']) await post(`${name}@example.test`)
    const outage = receiver(down)
    for (let time = 0; time < 3; time++) expect(await outage.run()).toEqual({ sent: 0, isBlocked: true })
    const back = receiver(() => {})
    await back.run()
    expect(back.taken.map((mail) => mail.recipient)).toEqual(['a@example.test', 'b@example.test'])
  })

  it('gives no letter up for the time that the server was down', async () => {
    await post('a@example.test')
    const outage = receiver(down)
    for (let time = 0; time < 20; time++) {
      await makeDue()
      await outage.run()
    }
    await makeDue()
    // Many servers put strangers off at first.
    await receiver(refuse).run()
    await makeDue()
    const { taken, run } = receiver(() => {})
    await run()
    expect(taken).toHaveLength(1)
  })

  it.for([
    { age: 0, why: 'so that order is kept', first: 'a@example.test' },
    { age: 200, why: 'for it may itself be what stops us', first: 'b@example.test' },
  ])(
    'goes on with $first when the server is back from an outage that met a letter $age s old, $why',
    async ({ age, first }) => {
      await post('a@example.test')
      await portal.deps.db
        .updateTable('mails')
        .set({ createdAt: new Date(Date.now() - age * 1000) })
        .execute()
      await post('b@example.test')
      await receiver(down).run()
      const { taken, run } = receiver(() => {})
      await run()
      expect(taken[0]?.recipient).toBe(first)
    },
  )

  it('goes on at once when the clock was set back', async () => {
    await post('a@example.test')
    await portal.deps.db
      .updateTable('mails')
      .set({ nextAttemptAt: new Date(Date.now() + 86_400_000) })
      .execute()
    const { taken, run } = receiver(() => {})
    await run()
    expect(taken).toHaveLength(1)
  })

  it('keeps the Message-ID when an answer was lost, so the double can be told', async () => {
    await post('a@example.test')
    const cut = receiver(down)
    await cut.run()
    const [before] = await rows()
    const { taken, run } = receiver(() => {})
    await run()
    expect(taken[0].messageId).toBe(before.messageId)
    expect(taken[0].messageId).toMatch(/^<[0-9a-f-]{36}@localhost>$/)
  })

  it('goes on past a refused address, tries that one again, and parks it in the end', async () => {
    await post('bad@example.test')
    await post('good@example.test')
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
  it('writes a letter that mail programs open, with one recipient whatever the address says', async () => {
    await post('a@example.test, victim@example.test')
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
