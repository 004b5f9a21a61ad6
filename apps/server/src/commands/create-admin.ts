/** Creates the administrator of ADMIN_EMAIL with ADMIN_PASSWORD, or sets a new password. */
import { runCommand } from '#commands/run-command.ts'
import { useStoredDatabase } from '#platform/database/stored-database.ts'
import { randomIds } from '#platform/ids.ts'
import { createPasswords } from '#platform/identity/passwords.ts'
import { noTracing } from '#platform/telemetry/tracing.ts'
import { EnvError } from '#env.ts'
import { portalItself } from '#platform/access/viewer.ts'
import { setAdministrator } from '#users/add-user.ts'

await runCommand(1, (env) =>
  useStoredDatabase(env, async (db) => {
    const { adminEmail, adminPassword } = env
    if (adminEmail === null || adminPassword === null)
      throw new EnvError(['ADMIN_EMAIL and ADMIN_PASSWORD must be set'])
    const passwords = createPasswords()
    const outcome = await setAdministrator(
      { email: adminEmail, password: adminPassword },
      {
        db,
        passwords,
        caller: portalItself,
        ids: randomIds,
        env,
        tracing: noTracing,
        // A portal that runs looks for e-mails every minute.
        jobs: { wake: async () => {} },
      },
    ).finally(() => passwords.close())
    console.log(
      outcome === 'created' ? `${adminEmail} is an administrator now.` : `${adminEmail} has a new password.`,
    )
  }),
)
