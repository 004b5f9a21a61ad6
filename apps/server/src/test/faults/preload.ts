/**
 * Runs before a portal that a test starts, and stops or kills that very process at the call the test names:
 * a call of the file system, or of a socket, which is what a transaction and a response consist of.
 */
import { Socket } from 'node:net'
import { watchCalls } from '#test/faults/watch-calls.ts'

/** Counting begins with the first call on a path that contains `from`; the `at`th call gets the signal. */
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
