/**
 * `node apps/server/src/commands/migrate.ts`: migrates the database at DATABASE_URL. The portal does the same
 * at every start.
 */
import { runCommand } from '#commands/run-command.ts'
import { migrate } from '#db/migrate.ts'

await runCommand(async (env) => {
  await migrate(env.databaseUrl)
  console.log('The database is up to date.')
})
