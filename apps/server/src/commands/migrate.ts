/**
 * `node apps/server/src/commands/migrate.ts`: brings the database at DATABASE_URL up to the newest schema.
 * The portal does so itself at every start.
 */
import { runCommand } from '#commands/run-command.ts'
import { migrate } from '#db/migrate.ts'

await runCommand(async (env) => {
  await migrate(env.databaseUrl)
  console.log('The database is up to date.')
})
