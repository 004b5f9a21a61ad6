import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { WebSocket } from 'ws'
import type { Db } from '#platform/database/tables.ts'
import type { Server } from '#test/chaos/servers.ts'

export type ScreenSettings = {
  apiKey: string
  token: string
  user: { id: number; companyId: number }
  /** Servers that can be connected to. */
  up(): readonly Server[]
}

const MAX_ROWS = 100
const RECONNECT_MILLISECONDS = 250
const MAX_STALE_MILLISECONDS = 5_000

/** The history as a clerk's page shows it: read after each connection, then updated by pushed statuses. */
export class HistoryScreen {
  readonly #settings: ScreenSettings
  readonly #statuses = new Map<number, number>()
  #socket: WebSocket | null = null
  #isClosed = false
  readonly #showing: Promise<void>

  constructor(settings: ScreenSettings) {
    this.#settings = settings
    this.#showing = this.#show()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#socket?.terminate()
    await this.#showing
  }

  async #show(): Promise<void> {
    while (!this.#isClosed) {
      const [server] = this.#settings.up()
      if (server !== undefined) await this.#showFrom(server.address).catch(() => {})
      await sleep(RECONNECT_MILLISECONDS)
    }
  }

  /** Shows what this server sends, until the connection ends. */
  async #showFrom(address: string): Promise<void> {
    const { apiKey: ApiKey, token: AccessToken, user } = this.#settings
    const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`)
    this.#socket = socket
    const closed = once(socket, 'close')
    closed.catch(() => {})
    socket.on('message', (data) => {
      const { FileId, FilesStatus } = JSON.parse((data as Buffer).toString())
      this.#statuses.set(FileId, FilesStatus)
    })
    await once(socket, 'open')
    socket.send(JSON.stringify({ ApiKey, ClientRole: 'Consumer', UserId: user.id, AccessToken }))
    await this.#read(address)
    await closed
  }

  async #read(address: string): Promise<void> {
    const { apiKey: ApiKey, token } = this.#settings
    const headers = { ApiKey, authorization: `Bearer ${token}` }
    const reply = await fetch(`${address}/api/FileSubmission?PageNumber=1&PageSize=${MAX_ROWS}`, { headers })
    const { value } = (await reply.json()) as { value: { data: { id: number; status: number }[] } }
    for (const { id, status } of value.data) this.#statuses.set(id, status)
  }

  /** I8: one line for each row that still differs after 5 s. The servers are up, and all is settled. */
  async findViolations(db: Db): Promise<string[]> {
    const end = performance.now() + MAX_STALE_MILLISECONDS
    for (;;) {
      const { rows } = await sql<{ id: number; status: number }>`
        select id, status from submissions where company_id = ${this.#settings.user.companyId}
        order by id desc limit ${MAX_ROWS}
      `.execute(db)
      const stale = rows.filter(({ id, status }) => this.#statuses.get(id) !== status)
      if (stale.length === 0) return []
      if (performance.now() > end)
        return stale.map(({ id, status }) => {
          const shown = this.#statuses.get(id) ?? 'no row'
          return `I8: submission ${id} has status ${status}; the history shows ${shown}`
        })
      await sleep(50)
    }
  }
}
