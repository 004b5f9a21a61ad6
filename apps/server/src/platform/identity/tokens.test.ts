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
const tokens = createTokens({ secret, accessTokenMinutes: 15 }, { now: () => now })

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
