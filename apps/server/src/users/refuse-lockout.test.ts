import { afterAll, beforeAll, expect, it } from 'vitest'
import { refuseLockout } from '#users/password-login.ts'
import { buildAdministrator, buildUser } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
  await buildAdministrator(portal.deps.db, { email: 'root@example.test' })
  await buildAdministrator(portal.deps.db, { email: 'invited@example.test', passwordHash: null })
  await buildUser(portal.deps.db, { email: 'clerk@example.test' })
})
afterAll(() => portal.close())

const start = (adminEmail: string | null, passwordLogin = false) =>
  refuseLockout({ ...portal.deps, env: { ...portal.deps.env, passwordLogin, adminEmail } })

it.for(['nobody@example.test', 'clerk@example.test', 'invited@example.test'])(
  'without passwords, the portal does not start with ADMIN_EMAIL %s, who cannot log in as administrator',
  async (adminEmail) => {
    await expect(start(adminEmail)).rejects.toThrow('PASSWORD_LOGIN: off needs an administrator')
    await expect(start(adminEmail, true)).resolves.toBeUndefined()
  },
)

it('without passwords, the portal starts with an administrator who has one', async () => {
  await expect(start('Root@example.test')).resolves.toBeUndefined()
})
