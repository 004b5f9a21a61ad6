import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Runs `work` while no other process runs under the same lock file: two installations into one folder would
 * both fail.
 */
export async function withLock(lock, work) {
  mkdirSync(dirname(lock), { recursive: true })
  while (!take(lock)) await new Promise((resolve) => setTimeout(resolve, 500))
  try {
    await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** A link creates the lock file with its content at once: other processes would delete an empty one. */
function take(lock) {
  const own = `${lock}-${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    linkSync(own, lock)
    return true
  } catch {
    if (existsSync(lock) && !isRunning(Number(readFileSync(lock, 'utf8')))) rmSync(lock, { force: true })
    return false
  } finally {
    rmSync(own, { force: true })
  }
}

function isRunning(pid) {
  try {
    return pid > 0 && pid !== process.pid && process.kill(pid, 0)
  } catch {
    return false
  }
}
