import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Stage, STAGE_MILLISECONDS } from '#test/chaos/stage.ts'

/** Kinds of system calls, as strace names them. The server is killed at one of the first `last` of a kind. */
const systemCalls = [
  { calls: 'fsync,fdatasync', last: 5 },
  { calls: '/^rename', last: 2 },
  { calls: '/^link', last: 2 },
  { calls: '/^unlink', last: 4 },
  { calls: '/^p?write', last: 50 },
  { calls: '/^p?write', last: 50 },
]

/** strace attaches to the server and kills it in the middle of a system call, before it takes effect. */
export const systemCall: Stage = {
  name: 'system call',
  async run(context, target, random) {
    const { calls, last } = random.oneOf(systemCalls)
    const inject = `${calls}:signal=SIGKILL:when=${1 + random.below(last)}`
    target.isToEnd = true
    const strace = spawn(
      'strace',
      ['-f', '-p', String(target.pid), '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${inject}`],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const ended = once(strace, 'exit')
    await Promise.race([once(strace.stderr, 'data'), sleep(STAGE_MILLISECONDS)])
    for (const kind of ['small', 'large'] as const) context.upload(target, random, { kind })
    const isReached = await target.waitForEnd(STAGE_MILLISECONDS)
    strace.kill('SIGKILL')
    await ended
    await target.kill()
    if (!isReached) context.countAsRandom()
  },
}

let isUsable: boolean | undefined
/** Whether strace is installed and may attach to another process, for which it needs root. */
export function hasStrace(): boolean {
  isUsable ??= tryStrace()
  return isUsable
}

function tryStrace(): boolean {
  try {
    execFileSync('strace', ['-f', '-o', '/dev/null', '-e', 'inject=/^unlink:signal=SIGKILL:when=99', 'true'])
    return process.platform === 'linux' && process.getuid?.() === 0
  } catch {
    return false
  }
}
