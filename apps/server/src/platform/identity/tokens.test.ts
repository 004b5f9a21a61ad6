import { createHmac } from 'node:crypto'
import { Role } from '@veridict/contract/model/role'
import { jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { createTokens } from '#platform/identity/tokens.ts'

const secret = 's'.repeat(32)
const subject = {
  userId: 7,
  role: Role.SuperAdmin,
  email: 'ä@example.test',
  sessionId: '11111111-1111-4111-8111-111111111111',
}
let now = new Date('2026-05-01T10:00:00.900Z')
const tokens = createTokens({ tokenSecret: secret, accessTokenMinutes: 15 }, { now: () => now })

describe('The token of a browser', () => {
  const claims = { userId: 7, browserId: subject.sessionId, passwordMark: tokens.passwordMark('hash') }

  it('is valid for 90 days', () => {
    now = new Date('2026-05-01T10:00:00.000Z')
    const token = tokens.browserToken(claims)
    expect(tokens.readBrowser(token)).toEqual(claims)
    now = new Date('2026-07-30T09:59:59.999Z')
    expect(tokens.readBrowser(token)).toEqual(claims)
    now = new Date('2026-07-30T10:00:00.000Z')
    expect(tokens.readBrowser(token)).toBeNull()
    now = new Date('2026-05-01T10:00:00.900Z')
  })

  it.for([
    ['', 'nothing'],
    ['7.a', 'two parts'],
    [tokens.refreshToken({ sessionId: '7', generation: 1 }), 'a refresh token'],
  ] as const)('is not %s, which is %s', ([token]) => expect(tokens.readBrowser(token)).toBeNull())
})

describe('An access token', () => {
  it('is read at once, without waiting for a thread', () => {
    const token = tokens.issueAccess(subject)
    expect(tokens.readAccess(token)).toEqual({
      nameid: '7',
      IsSuperAdmin: 'True',
      email: 'ä@example.test',
      sid: subject.sessionId,
      iat: Date.parse('2026-05-01T10:00:00Z') / 1000,
      exp: Date.parse('2026-05-01T10:15:00Z') / 1000,
    })
  })

  it('is a JWT for other libraries, too', async () => {
    const key = createHmac('sha256', secret).update('access').digest()
    const options = { algorithms: ['HS256'], typ: 'at+jwt', currentDate: now }
    const { payload } = await jwtVerify(tokens.issueAccess(subject), key, options)
    expect(payload).toMatchObject({ nameid: '7', sid: subject.sessionId })
  })

  it('ends with the second in its exp', () => {
    const token = tokens.issueAccess(subject)
    now = new Date('2026-05-01T10:14:59.999Z')
    expect(tokens.readAccess(token)).not.toBeNull()
    now = new Date('2026-05-01T10:15:00.000Z')
    expect(tokens.readAccess(token)).toBeNull()
  })

  it.for([
    ['nothing', ''],
    ['one part', 'abc'],
    ['four parts', 'a.b.c.d'],
    ['no JSON', 'YQ.YQ.YQ'],
  ])('is not %s', ([, token]) => expect(tokens.readAccess(token as string)).toBeNull())
})

describe('A changed secret', () => {
  const tokensWith = (tokenSecret: string, tokenSecretPrevious: string | null = null) =>
    createTokens({ tokenSecret, tokenSecretPrevious, accessTokenMinutes: 15 }, { now: () => now })
  const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)]
  const [first, second] = [tokensWith(old, fresh), tokensWith(fresh, old)]
  const claims = { sessionId: subject.sessionId, generation: 1 }

  it('F36: leaves what the other one signed valid while both are known, and then no more', () => {
    for (const [by, reader] of [
      [first, second],
      [second, first],
      [tokensWith(old), first],
    ] as const) {
      expect(reader.readAccess(by.issueAccess(subject))).toMatchObject({ sid: subject.sessionId })
      expect(reader.readRefresh(by.refreshToken(claims))).toEqual(claims)
      expect(reader.isPasswordMark(by.passwordMark('hash'), 'hash')).toBe(true)
      expect(reader.isPasswordMark(by.passwordMark('hash'), 'other')).toBe(false)
    }
    expect(tokensWith(fresh).readAccess(tokensWith(old).issueAccess(subject))).toBeNull()
    expect(tokensWith(fresh).readRefresh(tokensWith(old).refreshToken(claims))).toBeNull()
  })

  it('F36: leaves the secrets of webhooks as their receivers know them, throughout and after', () => {
    const set = { secretSalt: 'salt', sealedSecret: null }
    const known = tokensWith(old).webhookSecret(set)
    let stored = { ...set, sealedSecret: tokensWith(old).sealedAgain(set) }
    for (const tokens of [
      tokensWith(old),
      first,
      second,
      tokensWith(fresh),
      tokensWith('z'.repeat(32), fresh),
    ]) {
      expect(tokens.webhookSecret(stored)).toBe(known)
      stored = { ...stored, sealedSecret: tokens.sealedAgain(stored) ?? stored.sealedSecret }
      expect(tokens.sealedAgain(stored)).toBeNull()
    }
    expect(tokensWith(old).sealedAgain(stored), 'with an unknown key nothing is overwritten').toBeNull()
    const setByEarlierVersion = { ...stored, secretSalt: 'other' }
    expect(tokensWith(fresh).webhookSecret(setByEarlierVersion)).not.toBe(known)
    expect(tokensWith(fresh).sealedAgain(setByEarlierVersion)).toMatch(/^other\./)
  })
})
