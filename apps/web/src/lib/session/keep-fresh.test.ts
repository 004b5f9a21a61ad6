import { describe, expect, it } from 'vitest'
import { mayRefresh, refreshDelay, remainingOf } from './keep-fresh.ts'

const MINUTE = 60_000
/** A token issued at time 0. */
const token = (lifeMinutes: number) => ({ iat: 0, exp: lifeMinutes * 60 })
/** A token of which this browser has not stored when it came. */
const unstored = (lifeMinutes: number, now: number) => remainingOf(token(lifeMinutes), null, now)

describe('Whether a refresh may run', () => {
  it.for([
    { now: 12.9 * MINUTE, may: false, why: 'more than two minutes are left' },
    { now: 13 * MINUTE, may: true, why: 'exactly two minutes are left' },
    { now: 15 * MINUTE - 1, may: true, why: 'one millisecond is left' },
    { now: 15 * MINUTE, may: false, why: 'the token has expired' },
    { now: 99 * MINUTE, may: false, why: 'it expired long ago' },
  ])('$why: $may', ({ now, may }) => {
    expect(mayRefresh(unstored(15, now))).toBe(may)
    expect(mayRefresh(remainingOf(token(15), now, 0))).toBe(may)
  })
})

describe('When a refresh is due', () => {
  it.for([
    { life: 15, now: 0, delay: 13 * MINUTE, why: 'two minutes before expiry' },
    { life: 15, now: 14 * MINUTE, delay: 0, why: 'at once in the last two minutes' },
    { life: 15, now: 15 * MINUTE, delay: null, why: 'never after expiry' },
    { life: 1, now: 0, delay: MINUTE / 2, why: 'after half the lifetime of a short-lived token' },
  ])('$why', ({ life, now, delay }) => {
    expect(refreshDelay(unstored(life, now))).toBe(delay)
    expect(refreshDelay(remainingOf(token(life), now, 0))).toBe(delay)
  })

  it.for([-60, -16, -14, 0, 14, 16, 60])(
    'is the same when the clock of this computer is %i minutes off',
    (minutes) => {
      const remaining = remainingOf(token(15), 0, minutes * MINUTE)
      expect(refreshDelay(remaining)).toBe(13 * MINUTE)
    },
  )

  it('is always a time at which a refresh may run', () => {
    for (const life of [1, 2, 3, 4, 5, 15, 60]) {
      const delay = refreshDelay(unstored(life, 0)) ?? Number.NaN
      expect(mayRefresh(unstored(life, delay))).toBe(true)
    }
  })
})
