import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

export type PortalProcess = {
  address: string
  child: ChildProcess
  /** Ends the process and waits for it. */
  end(signal: NodeJS.Signals): Promise<void>
}

/**
 * Starts the program in its own process, for tests of crashes and restarts, and waits until it responds.
 * `roles` as on the command line.
 */
export async function startPortalProcess(
  env: Record<string, string>,
  roles = 'web,worker',
): Promise<PortalProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [MAIN, `--roles=${roles}`], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const address = `http://127.0.0.1:${port}`
  while (!(await isUp(address))) {
    if (child.exitCode !== null) throw new Error(`The portal ended with code ${child.exitCode}`)
    await sleep(50)
  }
  return {
    address,
    child,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    },
  }
}

const isUp = (address: string): Promise<boolean> =>
  fetch(`${address}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
