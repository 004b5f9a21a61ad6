import { liveCloseCodes } from '@veridict/contract/api/live'
import type { StatusPush } from '@veridict/contract/api/live'
import type { EndEvent, StatusBus, StatusEvent } from '#platform/live/status-bus.ts'
import type { Scope } from '#platform/access/scope.ts'

/** A live connection after its handshake. */
export type LiveClient = {
  scope: Scope
  userId: number
  sessionId: string
  /** `push` is an encoded WebSocket text. */
  send(push: Buffer): void
  close(code: number, reason: string): void
}

/** Close code of the RFC 6455 registry: the clients reconnect and reload the page's data. */
const SERVICE_RESTART = 1012

/** The text of a push, made once for all clients that get it. */
export const encodePush = ({ FileId, FilesStatus, RecordCount }: StatusPush): Buffer =>
  Buffer.from(JSON.stringify({ FileId, FilesStatus, RecordCount }))

/** The live connections of this process. */
export class Hub {
  readonly #ofCompany = new Map<number, Set<LiveClient>>()
  readonly #ofUser = new Map<number, Set<LiveClient>>()

  /** Subscribes to the bus; returns the function that unsubscribes. */
  follow(bus: StatusBus): () => void {
    return bus.subscribe({
      onStatus: (event) => this.#push(event),
      onEnd: (end) => this.#end(end),
      // Events may be lost; a client that reconnects reads its list again.
      onGap: () => this.closeAll(SERVICE_RESTART, 'please connect again'),
    })
  }

  add(client: LiveClient): void {
    addTo(this.#ofCompany, client.scope.companyId, client)
    addTo(this.#ofUser, client.userId, client)
  }

  remove(client: LiveClient): void {
    removeFrom(this.#ofCompany, client.scope.companyId, client)
    removeFrom(this.#ofUser, client.userId, client)
  }

  countOf(userId: number): number {
    return this.#ofUser.get(userId)?.size ?? 0
  }

  closeAll(code: number, reason: string): void {
    for (const clients of this.#ofUser.values()) for (const client of clients) client.close(code, reason)
  }

  #push(event: StatusEvent): void {
    const clients = this.#ofCompany.get(event.companyId)
    if (clients === undefined) return
    const push = encodePush(event)
    for (const client of clients)
      if (client.scope.userId === null || client.scope.userId === event.userId) client.send(push)
  }

  #end(end: EndEvent): void {
    for (const client of this.#clientsOf(end))
      client.close(liveCloseCodes.unauthorized, 'the session has ended')
  }

  #clientsOf(end: EndEvent): Iterable<LiveClient> {
    if ('userId' in end) return this.#ofUser.get(end.userId) ?? []
    const all = [...this.#ofUser.values()].flatMap((clients) => [...clients])
    return all.filter((client) => 'sessionId' in end && client.sessionId === end.sessionId)
  }
}

function addTo(groups: Map<number, Set<LiveClient>>, key: number, client: LiveClient): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, new Set([client]))
  else group.add(client)
}

function removeFrom(groups: Map<number, Set<LiveClient>>, key: number, client: LiveClient): void {
  const group = groups.get(key)
  group?.delete(client)
  if (group?.size === 0) groups.delete(key)
}
