import { setTimeout as sleep } from 'node:timers/promises'
import type { StatusPush } from '@veridict/contract/api/live'
import { type Clerk, clockTime, type Step, type Target } from './http.ts'
import { connectLive, openForAll } from './live.ts'

/** When events were published, by their `FileId`. */
export type Published = Record<number, number>

/**
 * Opens live connections and waits. Then takes the times at which events were published, and returns how many
 * milliseconds each event took to each connection, and how many connections were lost.
 */
export async function listen(
  { target, clerks }: { target: Target; clerks: readonly Clerk[] },
  step: Step,
): Promise<{ milliseconds: number[]; lost: number }> {
  const arrivals: { id: number; at: number }[] = []
  const onPush = ({ FileId }: StatusPush) => arrivals.push({ id: FileId, at: clockTime() })
  const sockets = await openForAll(clerks, (clerk) => connectLive(target, clerk, onPush))
  let lost = 0
  for (const socket of sockets) socket.once('close', () => lost++)
  // The server checks handshakes after it has opened the connection.
  await sleep(1000)
  const published = await step<Published>()
  const known = arrivals.filter(({ id }) => published[id] !== undefined)
  const result = { milliseconds: known.map(({ id, at }) => at - (published[id] as number)), lost }
  for (const socket of sockets) socket.terminate()
  return result
}
