import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { createPasswords } from '#platform/identity/passwords.ts'

const passwords = createPasswords()
afterAll(() => passwords.close())

describe('Hashing passwords', () => {
  it('does not wait for the threads that files and name look-ups use', async () => {
    const passwordHash = await passwords.hash('Some-Passw0rd')
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    let finished = 0
    const busy = Array.from({ length: 4 }, () =>
      promisify(pbkdf2)('busy', 'threads', 3_000_000, 64, 'sha512').then(() => finished++),
    )
    expect(await passwords.matches('Some-Passw0rd', passwordHash)).toBe(true)
    expect(finished).toBe(0)
    await Promise.all(busy)
  })

  it('is false without a hash, and for another password', async () => {
    expect(await passwords.matches('no account has this password', null)).toBe(false)
    expect(await passwords.matches('Other', await passwords.hash('Some'))).toBe(false)
  })
})
