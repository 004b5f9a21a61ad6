import { type LiveHandshake, livePath, type StatusPush } from '@veridict/contract/api/live'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { type Clerk, clockTime, inLanes, type Step, type Target } from './http.ts'

const MOST_ATTEMPTS = 5
/** Connections that are opened at once. */
const AT_ONCE = 20

/** A live connection as the page opens it, which tries again where too many are being opened. */
export async function connectLive(...given: Parameters<typeof connectOnce>): Promise<WebSocket> {
  for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
    const socket = await connectOnce(...given).catch(() => sleep(attempt * 500))
    if (socket) return socket
  }
  return connectOnce(...given)
}

async function connectOnce(
  { address, apiKey }: Target,
  { userId, token }: Clerk,
  onPush: (push: StatusPush) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(address.replace(/^http/, 'ws') + livePath)
  // Every error is followed by a close.
  socket.on('error', () => {})
  socket.on('message', (data: Buffer) => onPush(JSON.parse(data.toString()) as StatusPush))
  await Promise.race([
    once(socket, 'open'),
    once(socket, 'close').then(() => Promise.reject(new Error('no connection'))),
  ])
  const handshake: LiveHandshake = {
    ApiKey: apiKey,
    ClientRole: 'Consumer',
    UserId: String(userId),
    AccessToken: token,
  }
  socket.send(JSON.stringify(handshake))
  return socket
}

/** When events were published, by their `FileId`. */
export type Published = Record<number, number>

/** `step` gives the times at which events were published. Returns the milliseconds to each connection. */
export async function listen({ target, clerks }: { target: Target; clerks: readonly Clerk[] }, step: Step) {
  const arrivals: { id: number; at: number }[] = []
  const onPush = ({ FileId }: StatusPush) => arrivals.push({ id: FileId, at: clockTime() })
  const sockets = await inLanes(clerks.length, AT_ONCE, (number) =>
    connectLive(target, clerks[number] as Clerk, onPush),
  )
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
