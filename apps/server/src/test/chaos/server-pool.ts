import { setTimeout as sleep } from 'node:timers/promises'
import { Server, type ServerSettings } from '#test/chaos/servers.ts'
import type { Random } from '#test/fuzz/random.ts'

/** The servers of a campaign: those that get uploads, and others that are frozen or spare. */
export class ServerPool {
  readonly #settings: ServerSettings
  readonly #active: Server[] = []
  /** Servers that were frozen and then killed; they are used again. */
  readonly #spare: Server[] = []
  readonly #all: Server[] = []

  constructor(settings: ServerSettings) {
    this.#settings = settings
  }

  /** All servers, including frozen and spare ones. */
  get all(): readonly Server[] {
    return this.#all
  }
  get active(): readonly Server[] {
    return this.#active
  }
  /** The active servers that can be connected to. */
  get up(): Server[] {
    return this.#active.filter(({ state }) => state === 'up')
  }

  /** Starts one more server, and waits until it is up. */
  async add(): Promise<void> {
    let server = this.#spare.pop()
    if (server === undefined) {
      server = await Server.create(this.#settings, this.#all.length)
      this.#all.push(server)
    }
    this.#active.push(server)
    await server.start()
  }

  /** Starts another server instead of this one, which stays as it is. */
  async replace(server: Server): Promise<void> {
    this.#active.splice(this.#active.indexOf(server), 1)
    await this.add()
  }

  addSpare(server: Server): void {
    this.#spare.push(server)
  }

  oneUp(random: Random): Server {
    return random.oneOf(this.up)
  }

  /** The server whose advisory lock has this number, if it is up. */
  findByHolder(holder: number | null): Server | undefined {
    return this.up.find((server) => server.holder === holder)
  }

  /** Starts the active servers that were killed. Does not wait for them. */
  restart(): void {
    for (const server of this.#active) if (server.state === 'down') void server.start()
  }

  async waitUntilUp(count: number): Promise<void> {
    while (this.up.length < count) {
      this.restart()
      await sleep(10)
    }
  }

  async close(): Promise<void> {
    for (const server of this.#all) await server.close()
  }
}
