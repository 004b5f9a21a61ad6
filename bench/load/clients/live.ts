import { once } from 'node:events'
import { type LiveHandshake, livePath, type StatusPush } from '@veridict/contract/api/live'
import { WebSocket } from 'ws'
import type { Clerk, Target } from './http.ts'

/** A live connection as the page opens it. Throws if it is refused. */
export async function connectLive(
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

/** Opens something for each clerk, for a few at a time. */
export async function openForAll<T>(
  clerks: readonly Clerk[],
  open: (clerk: Clerk) => Promise<T>,
): Promise<T[]> {
  const opened: T[] = []
  const AT_ONCE = 20
  for (let index = 0; index < clerks.length; index += AT_ONCE)
    opened.push(...(await Promise.all(clerks.slice(index, index + AT_ONCE).map(open))))
  return opened
}
