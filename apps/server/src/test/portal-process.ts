import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#platform/database/embedded/postmaster.ts'
import { bundledPrograms } from '#test/bundled-programs.ts'

/** What our programs need of this environment. With compiled code they start in half of the time. */
export function programEnv(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) }
}

export type PortalProcess = {
  address: string
  child: ChildProcess
  /** Ends the process and waits for it. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** A process that may not respond yet; `ready` rejects if it ends before. */
export type StartingPortal = PortalProcess & { ready: Promise<void> }

/**
 * `preload` is a file that runs before the program and gets what is sent with `child.send`; `main` is the
 * program of another release; `onLog` gets the text of its log.
 */
export type ProcessOptions = { preload?: string; main?: string; onLog?: (text: string) => void }

/**
 * Starts the program in its own process, for tests of crashes and restarts, and waits until it responds.
 * `roles` as on the command line.
 */
export async function startPortalProcess(
  env: Record<string, string>,
  roles = 'web,worker',
  options: ProcessOptions = {},
): Promise<PortalProcess> {
  const portal = await spawnPortalProcess(env, roles, options)
  await portal.ready
  return portal
}

/** Starts a portal and does not wait until it is ready. */
export async function spawnPortalProcess(
  env: Record<string, string>,
  roles = 'web,worker',
  { preload, main, onLog }: ProcessOptions = {},
): Promise<StartingPortal> {
  const port = env.PORT ?? String(await freePort())
  const program = main ?? join(await bundledPrograms(), 'main.js')
  const imports = preload === undefined ? [] : [`--import=${preload}`]
  const child = spawn(process.execPath, [...imports, program, `--roles=${roles}`], {
    env: { ...programEnv(), HOST: '127.0.0.1', PORT: port, LOG_LEVEL: 'warn', ...env },
    stdio: [
      'ignore',
      'ignore',
      onLog === undefined ? 'inherit' : 'pipe',
      ...(preload === undefined ? [] : ['ipc' as const]),
    ],
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => onLog?.(text))
  const address = `http://127.0.0.1:${port}`
  const ready = untilUp(address, child)
  // Its caller may end the process first.
  ready.catch(() => {})
  return {
    address,
    child,
    ready,
    async end(signal) {
      if (hasEnded(child)) return
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    },
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

async function untilUp(address: string, child: ChildProcess): Promise<void> {
  while (!(await isUp(address))) {
    if (hasEnded(child))
      throw new Error(`The portal ended with ${child.signalCode ?? `code ${child.exitCode}`}`)
    await sleep(50)
  }
}

const isUp = (address: string): Promise<boolean> =>
  fetch(`${address}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )
