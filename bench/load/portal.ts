import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../apps/server/src/platform/database/embedded/postmaster.ts'
import { isUp } from '../../apps/server/src/test/portal-process.ts'

/** A portal in its own process, as `npm start` runs it. */
export type Portal = {
  readonly address: string
  /** Starts it on the same port. Settles when it responds. */
  start(): Promise<void>
  /** Ends it as a supervisor does, with SIGTERM. */
  stop(): Promise<void>
  /** The number of its main process. */
  pid(): number
  /** Memory of its main process at this moment, in bytes. */
  residentBytes(): number
}

/** `log`: the file for what it prints. */
export async function preparePortal(
  checkout: string,
  settings: Readonly<Record<string, string>>,
  log: string,
): Promise<Portal> {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), ...settings }
  let child: ChildProcess | null = null
  return {
    address,
    async start() {
      const output = openSync(log, 'a')
      child = spawn(process.execPath, [join(checkout, 'apps/server/src/main.ts')], {
        env,
        stdio: ['ignore', output, output],
      })
      closeSync(output)
      while (!(await isUp(address))) {
        if (child.exitCode !== null)
          throw new Error(`The portal did not start:\n${readFileSync(log, 'utf8')}`)
        await sleep(20)
      }
    },
    async stop() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
    pid: () => child?.pid ?? 0,
    residentBytes() {
      const status = readFileSync(`/proc/${child?.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
    },
  }
}
