import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ExitCode } from '#exit-code.ts'

/**
 * Runs a command of the portal's operator, which needs its settings and its database: in the package of the
 * server and in a process of its own, so that the command line does not contain the portal. Exit codes of
 * these commands are the same.
 */
export function runPortalCommand(name: string, ...args: readonly string[]): ExitCode {
  const server = dirname(createRequire(import.meta.url).resolve('@veridict/server/package.json'))
  const command = join(server, 'src/commands', `${name}.ts`)
  const { status, error } = spawnSync(process.execPath, [command, ...args], { stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status === ExitCode.Passed || status === ExitCode.NotPassed) return status
  return ExitCode.Failed
}
