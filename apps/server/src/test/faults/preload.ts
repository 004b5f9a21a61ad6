/**
 * A test loads this module into a portal before the portal starts. It freezes or kills the process at the
 * call that the test names: a call of the file system, or a write to a socket (the database, or a response).
 */
import { Socket } from 'node:net'
import { watchCalls } from '#test/faults/watch-calls.ts'

/**
 * Counts calls from the first one whose path contains `from`; the call with the number `at` gets the signal.
 */
export type PlannedSignal = { from: string; at: number; signal: 'SIGKILL' | 'SIGSTOP' }

let plan: PlannedSignal | null = null
let count = 0

function onCall(path: string): void {
  if (plan === null || (count === 0 && !path.includes(plan.from))) return
  if (++count !== plan.at) return
  const { signal } = plan
  plan = null
  process.kill(process.pid, signal)
}

watchCalls((_call, path) => onCall(path))
const { write } = Socket.prototype
Socket.prototype.write = function (this: Socket, ...given: Parameters<typeof write>) {
  onCall('')
  return write.apply(this, given)
} as typeof write

process.on('message', (planned: PlannedSignal) => {
  plan = planned
  count = 0
  process.send?.('planned')
})
// The channel alone must not keep the process alive.
process.channel?.unref()
