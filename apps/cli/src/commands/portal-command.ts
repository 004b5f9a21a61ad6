import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ExitCode } from '#exit-code.ts'

/**
 * Runs a command of the portal's operator, which needs its settings and its database: in the package of the
 * server and in a process of its own, so that the command line does not contain the portal. Exit codes of
 * these commands are the same.
 */
export function runPortalCommand(name: string, ...args: readonly string[]): ExitCode {
  const { resolve } = createRequire(import.meta.url)
  const exitWith2 = pathToFileURL(resolve('@veridict/cli/src/exit-with-2.mjs')).href
  const command = join(dirname(resolve('@veridict/server/package.json')), 'src/commands', `${name}.ts`)
  const nodeArguments = [`--import=${exitWith2}`, command, ...args]
  const { status, error } = spawnSync(process.execPath, nodeArguments, { stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status === ExitCode.Passed || status === ExitCode.NotPassed) return status
  return ExitCode.Failed
}
