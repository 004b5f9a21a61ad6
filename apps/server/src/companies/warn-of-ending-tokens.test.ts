import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { warnOfEndingTokens } from '#companies/warn-of-ending-tokens.ts'
import { buildAdministrator, buildCompany, buildCompanyToken } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
let others: string[]
beforeAll(async () => {
  portal = await createTestApp()
  others = [portal.administrator.email, (await buildAdministrator(portal.deps.db)).email]
})
afterAll(() => portal.close())
beforeEach(async () => {
  await portal.deps.db.deleteFrom('mails').execute()
})

const DAY = 86_400_000
/** A token made `age` days ago that ends in `left` days. */
const build = async (
  { age, left }: { age: number; left: number },
  given: Parameters<typeof buildCompanyToken>[2] & { company?: { deletedAt: Date } } = {},
) => {
  const { company, ...token } = given
  const { id } = await buildCompany(portal.deps.db, company)
  const creator = await buildAdministrator(portal.deps.db)
  const row = await buildCompanyToken(portal.deps, id, {
    createdAt: new Date(Date.now() - age * DAY),
    expiresAt: new Date(Date.now() + left * DAY),
    creatorId: creator.id,
    creatorEmail: creator.email,
    ...token,
  })
  others.push(creator.email)
  return { ...row, creator }
}
const mails = () =>
  portal.deps.db.selectFrom('mails').select(['recipient', 'subject', 'textBody']).orderBy('id').execute()
const recipients = async () => (await mails()).map(({ recipient }) => recipient)
const warn = () => warnOfEndingTokens(portal.deps)

describe('The e-mail about the end of a token', () => {
  it('goes once to who made it, with its name, its company and its end', async () => {
    const token = await build({ age: 70, left: 13.9 }, { name: 'Nightly export' })
    await Promise.all([warn(), warn()])
    await warn()
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail?.recipient).toBe(token.creator.email)
    expect(mail?.subject).toContain('Nightly export')
    expect(mail?.textBody).toContain(`/home/company/edit/${token.companyId}`)
    expect(portal.wakened.at(-1)).toBe('sendMails')
  })

  it.for([
    { why: 'on the last day, if the portal was down before', age: 365, left: 0.5 },
    { why: 'for a token made for a little more than two weeks', age: 2, left: 13 },
  ])('goes $why', async (life) => {
    const { creator } = await build(life)
    await warn()
    expect(await recipients()).toEqual([creator.email])
  })

  it('goes to the present e-mail of who made it', async () => {
    const { creator } = await build({ age: 70, left: 10 })
    const email = `new-${creator.email}`
    await portal.deps.db.updateTable('users').set({ email }).where('id', '=', creator.id).execute()
    others = others.map((other) => (other === creator.email ? email : other))
    await warn()
    expect(await recipients()).toEqual([email])
  })

  it.for([
    { why: 'is not recorded', given: { creatorId: null, creatorEmail: null } },
    { why: 'was deleted', given: {} },
  ])('goes to all super administrators if who made it $why', async ({ given }) => {
    const { creator } = await build({ age: 70, left: 10 }, given)
    await portal.deps.db
      .updateTable('users')
      .set({ deletedAt: new Date() })
      .where('id', '=', creator.id)
      .execute()
    others = others.filter((email) => email !== creator.email)
    await warn()
    expect((await recipients()).toSorted()).toEqual(others.toSorted())
  })

  it.for([
    { why: 'that ends later', age: 70, left: 14.1 },
    { why: 'that has ended', age: 70, left: -0.1 },
    { why: 'that was made for two weeks', age: 1, left: 13 },
    { why: 'that was revoked', age: 70, left: 10, given: { revokedAt: new Date() } },
    { why: 'of a deleted company', age: 70, left: 10, given: { company: { deletedAt: new Date() } } },
  ])('is not sent for a token $why', async ({ age, left, given }) => {
    await build({ age, left }, given)
    await warn()
    expect(await mails()).toEqual([])
  })
})
