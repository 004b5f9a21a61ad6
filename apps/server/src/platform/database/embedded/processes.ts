import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Under any account; a zombie does not count. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** In a container whose first process does not reap orphans, dead processes stay listed for ever. */
const isZombie = (pid: number): boolean => /\) Z /.test(readProc(pid, 'stat'))

/** Separated by spaces; empty if there is none. */
export const commandLine = (pid: number): string => ask(pid, 'cmdline', 'command').replaceAll('\0', ' ')

/** Tells processes with one id apart. In /proc the 20th field after the name, which may have spaces. */
export const startTime = (pid: number): string =>
  ask(pid, 'stat', 'lstart').replace(/^.*\) (?:\S+ ){19}(\S+) .*$/s, '$1')

/** Linux may have no `ps`, others have no /proc. */
function ask(pid: number, file: string, column: string): string {
  if (existsSync('/proc/self/stat')) return readProc(pid, file)
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  return spawnSync('ps', ['-p', String(pid), '-o', `${column}=`], { encoding: 'utf8', env }).stdout ?? ''
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

export async function hasEnded(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false
    await sleep(25)
  }
  return true
}

/** It is not checked first: its owner may delete it between a check and the read. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
