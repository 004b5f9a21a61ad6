import { liveCloseCodes } from '@veridict/contract/api/live'
import type { StatusPush } from '@veridict/contract/api/live'
import type { EndNews, StatusBus, StatusNews } from '#drivers/status-bus.ts'
import type { Scope } from '#policies/scope.ts'

/** A live connection that has shown who it is. */
export type LiveClient = {
  scope: Scope
  userId: number
  sessionId: string
  send(push: StatusPush): void
  close(code: number, reason: string): void
}

/** Asks clients to connect again, which makes them read the page again. RFC 6455 registry. */
const SERVICE_RESTART = 1012

/** The connections of this process, and who may hear what. */
export class Hub {
  readonly #clients = new Set<LiveClient>()

  /** Listens to the bus; answers the function that stops it. */
  follow(bus: StatusBus): () => void {
    return bus.subscribe({
      onStatus: (news) => this.#tell(news),
      onEnd: (end) => this.#end(end),
      // Whatever happened meanwhile was not told; a fresh connection begins with a fresh page.
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

  #tell({ FileId, FilesStatus, RecordCount, companyId, userId }: StatusNews): void {
    for (const client of this.#clients) {
      const { scope } = client
      const isTheirs = scope.companyId === companyId && (scope.userId === null || scope.userId === userId)
      if (isTheirs) client.send({ FileId, FilesStatus, RecordCount })
    }
  }

  #end(end: EndNews): void {
    for (const client of this.#clients) {
      const isMeant = 'sessionId' in end ? client.sessionId === end.sessionId : client.userId === end.userId
      if (isMeant) client.close(liveCloseCodes.unauthorized, 'the session has ended')
    }
  }
}
