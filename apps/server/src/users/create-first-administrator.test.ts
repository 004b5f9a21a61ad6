import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import type { Deps } from '#deps.ts'
import { randomIds } from '#platform/ids.ts'
import { createPasswords } from '#platform/identity/passwords.ts'
import { noTracing } from '#platform/telemetry/tracing.ts'
import { EnvError } from '#env.ts'
import { portalItself } from '#platform/access/viewer.ts'
import { countAdministrators } from '#users/users.ts'
import { createFirstAdministrator, setAdministrator } from '#users/add-user.ts'
import type { TellAdministratorsDeps } from '#users/tell-administrators.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'

let database: TestDatabase
let deps: TellAdministratorsDeps & Pick<Deps, 'db'> & { passwords: ReturnType<typeof createPasswords> }
beforeAll(async () => {
  database = await createTestDatabase()
  deps = {
    db: openDatabase(database.url),
    passwords: createPasswords(),
    caller: portalItself,
    ids: randomIds,
    env: { publicUrl: 'https://portal.example.test' },
    tracing: noTracing,
    jobs: { wake: async () => {} },
  }
})
afterAll(async () => {
  await deps.passwords.close()
  await deps.db.destroy()
  await database.drop()
})

const email = 'ada.lovelace@example.test'

describe('ADMIN_PASSWORD', () => {
  it.for(['Passw0rd!', 'Administrator#1', 'Ada.Lovelace#26'])('is refused as %s', async (password) => {
    await expect(createFirstAdministrator({ email, password }, deps)).rejects.toThrow(EnvError)
    await expect(setAdministrator({ email, password }, deps)).rejects.toThrow('ADMIN_PASSWORD')
    expect(await countAdministrators(deps.db)).toBe(0)
  })

  it('stops no installation that has its administrator', async () => {
    await expect(createFirstAdministrator(null, deps)).rejects.toThrow('there is no administrator yet')
    await createFirstAdministrator({ email, password: 'Wombats-dig-7' }, deps)
    await createFirstAdministrator({ email, password: 'Passw0rd!' }, deps)
    await createFirstAdministrator(null, deps)
    expect(await countAdministrators(deps.db)).toBe(1)
  })
})
