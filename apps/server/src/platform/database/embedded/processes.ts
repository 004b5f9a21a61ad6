import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whether a process with this id runs, under any account; a zombie does not count. */
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
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** The command line of a process, separated by spaces; empty if there is none. */
export function commandLine(pid: number): string {
  try {
    if (existsSync('/proc/self/cmdline'))
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
  return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout ?? ''
}

/** When a process started: other processes that have its id have another. Empty if there is none. */
export function startTime(pid: number): string {
  try {
    // After the name of the program, which may have spaces, it is the 20th field.
    if (existsSync('/proc/self/stat'))
      return readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[19]
  } catch {
    return ''
  }
  return spawnSync('ps', ['-p', String(pid), '-o', 'lstart='], { encoding: 'utf8' }).stdout ?? ''
}

export async function hasEnded(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false
    await sleep(25)
  }
  return true
}

/** A file about a process. Not checked first: its owner may delete it between a check and the read. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
