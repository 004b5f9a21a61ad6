import { liveCloseCodes } from '@veridict/contract/api/live'
import type { StatusPush } from '@veridict/contract/api/live'
import type { EndNews, StatusBus, StatusNews } from '#drivers/status-bus.ts'
import type { Scope } from '#policies/scope.ts'

/** A live connection after its handshake. */
export type LiveClient = {
  scope: Scope
  userId: number
  sessionId: string
  send(push: StatusPush): void
  close(code: number, reason: string): void
}

/** Clients reconnect and reload the page's data. RFC 6455 registry. */
const SERVICE_RESTART = 1012

/** The live connections of this process. */
export class Hub {
  readonly #clients = new Set<LiveClient>()

  /** Subscribes to the bus; returns the function that unsubscribes. */
  follow(bus: StatusBus): () => void {
    return bus.subscribe({
      onStatus: (news) => this.#push(news),
      onEnd: (end) => this.#end(end),
      // News may be lost; a client that reconnects reloads its page.
      onGap: () => this.closeAll(SERVICE_RESTART, 'please connect again'),
    })
  }

  add(client: LiveClient): void {
    this.#clients.add(client)
  }

  remove(client: LiveClient): void {
    this.#clients.delete(client)
  }

  /** Open connections of a user. */
  countOf(userId: number): number {
    let count = 0
    for (const client of this.#clients) if (client.userId === userId) count++
    return count
  }

  closeAll(code: number, reason: string): void {
    for (const client of this.#clients) client.close(code, reason)
  }

  #push({ FileId, FilesStatus, RecordCount, companyId, userId }: StatusNews): void {
    for (const client of this.#clients) {
      const { scope } = client
      const isTheirs = scope.companyId === companyId && (scope.userId === null || scope.userId === userId)
      if (isTheirs) client.send({ FileId, FilesStatus, RecordCount })
    }
  }

  #end(end: EndNews): void {
    for (const client of this.#clients) {
      const matches = 'sessionId' in end ? client.sessionId === end.sessionId : client.userId === end.userId
      if (matches) client.close(liveCloseCodes.unauthorized, 'the session has ended')
    }
  }
}
