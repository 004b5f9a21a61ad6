import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { completeEnv } from '#complete-env.ts'
import { readEnv } from '#env.ts'
import { createTestApp } from '#test/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'

let folder: string
let database: TestDatabase
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridict-secret-'))
  database = await createTestDatabase()
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const settingsOf = (server: string) => completeEnv(readEnv({ DATA_DIR: join(folder, server) }), database.url)

describe('Secrets that are not set', () => {
  it('are generated once for several servers with folders of their own', async () => {
    const all = await Promise.all(['a', 'b', 'c', 'd'].map(settingsOf))
    expect(new Set(all.map((settings) => settings.tokenSecret)).size).toBe(1)
    expect(new Set(all.map((settings) => settings.apiKey)).size).toBe(1)
    expect(all[0].apiKey).not.toBe(all[0].tokenSecret)
    expect(all[0].tokenSecret.length).toBeGreaterThanOrEqual(32)
  })

  it('never replace those that are set', async () => {
    const given = { DATA_DIR: folder, API_KEY: 'the-key-of-ours', TOKEN_SECRET: 'x'.repeat(40) }
    expect(await completeEnv(readEnv(given), database.url)).toMatchObject({
      apiKey: 'the-key-of-ours',
      tokenSecret: 'x'.repeat(40),
    })
  })

  it('cannot be read by the role of the portal', async () => {
    const portal = await createTestApp()
    const secrets = portal.deps.db.selectFrom('secrets' as 'marks').selectAll()
    await expect(secrets.execute()).rejects.toThrow('permission denied')
    await portal.close()
  })
})
