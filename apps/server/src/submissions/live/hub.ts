import { liveCloseCodes, type StatusPush } from '@veridict/contract/api/live'
import type { EndEvent, StatusBus, StatusEvent } from '#platform/live/status-bus.ts'
import type { Scope } from '#platform/access/viewer.ts'

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

export class Hub {
  readonly #clients = new Set<LiveClient>()

  /** Returns the function that unsubscribes. */
  follow(bus: StatusBus): () => void {
    return bus.subscribe({
      onStatus: (event) => this.#push(event),
      onEnd: (end) => this.#end(end),
      // Events may be lost; a client that reconnects reads its list again.
      onGap: () => this.closeAll(SERVICE_RESTART, 'please connect again'),
    })
  }

  add(client: LiveClient): void {
    this.#clients.add(client)
  }

  remove(client: LiveClient): void {
    this.#clients.delete(client)
  }

  countOf(userId: number): number {
    return [...this.#clients].filter((client) => client.userId === userId).length
  }

  closeAll(code: number, reason: string): void {
    for (const client of this.#clients) client.close(code, reason)
  }

  #push(event: StatusEvent): void {
    const push = encodePush(event)
    for (const client of this.#clients) {
      const { companyId, userId } = client.scope
      if (companyId === event.companyId && (userId === null || userId === event.userId)) client.send(push)
    }
  }

  #end(end: EndEvent): void {
    for (const client of this.#clients)
      if (
        'userId' in end
          ? client.userId === end.userId
          : 'sessionId' in end && client.sessionId === end.sessionId
      )
        client.close(liveCloseCodes.unauthorized, 'the session has ended')
  }
}
