import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEnv } from '#env.ts'
import { completeEnv } from '#complete-env.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridict-secret-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('Secrets that are not set', () => {
  it('are generated once for several starts, and only the owner can read them', async () => {
    const env = readEnv({ DATA_DIR: join(folder, 'data') })
    const all = await Promise.all(Array.from({ length: 5 }, () => completeEnv(env, 'postgresql://x')))
    expect(new Set(all.map((settings) => settings.tokenSecret)).size).toBe(1)
    expect(all[0].apiKey).not.toBe(all[0].tokenSecret)
    expect((await stat(join(folder, 'data', 'token-secret'))).mode & 0o777).toBe(0o600)
  })

  it('never replace those that are set', async () => {
    const env = readEnv({
      DATA_DIR: join(folder, 'given'),
      API_KEY: 'the-key-of-ours',
      TOKEN_SECRET: 'x'.repeat(40),
    })
    expect(await completeEnv(env, 'postgresql://x')).toMatchObject({
      apiKey: 'the-key-of-ours',
      tokenSecret: 'x'.repeat(40),
    })
  })
})
