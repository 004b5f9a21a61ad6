import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createPasswords } from '#platform/identity/passwords.ts'

const passwords = createPasswords()
afterAll(() => passwords.close())

describe('Hashing passwords', () => {
  it('does not wait for the threads that files and name look-ups use', async () => {
    const passwordHash = await passwords.hash('Some-Passw0rd')
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const folder = mkdtempSync(join(tmpdir(), 'veridict-pipe-'))
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    // All four threads wait until somebody opens the pipe to write.
    let opened = 0
    const opening = Array.from({ length: 4 }, async () => {
      const file = await open(pipe)
      opened++
      return file
    })
    try {
      expect(await passwords.matches('Some-Passw0rd', passwordHash)).toBe(true)
      expect(opened).toBe(0)
    } finally {
      const writer = openSync(pipe, 'r+')
      for (const file of await Promise.all(opening)) await file.close()
      closeSync(writer)
      rmSync(folder, { recursive: true })
    }
  })

  it('is false without a hash, and for another password', async () => {
    expect(await passwords.matches('no account has this password', null)).toBe(false)
    expect(await passwords.matches('Other', await passwords.hash('Some'))).toBe(false)
  })
})
