/**
 * `veridict doctor [--json]`: checks what the portal needs around it, and says what to do. Exit code 1 if
 * something is a fault, 2 if the settings cannot be read.
 */
import { parseArgs } from 'node:util'
import { printLine } from '#commands/print-line.ts'
import { runCommand } from '#commands/run-command.ts'
import { examinePortal, type Examined } from '#operations/examine-portal.ts'
import { useStoredDatabase } from '#platform/database/stored-database.ts'

const textOf = ({ name, state, message, advice }: Examined): string =>
  `${state.padEnd(7)} ${name.padEnd(10)} ${message}${advice === '' ? '' : `\n${' '.repeat(19)}${advice}`}`

await runCommand(2, async (env) => {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
  const checks = await useStoredDatabase(env, (db) => examinePortal({ env, db }))
  await printLine(values.json ? JSON.stringify({ checks }, null, 2) : checks.map(textOf).join('\n'))
  return checks.some(({ state }) => state === 'fault') ? 1 : 0
})
