import { hash } from 'node:crypto'
import type { UploadPart } from '#platform/storage/receive-upload.ts'
import { AppError } from '#errors.ts'
import { acceptUpload } from '#submissions/accept-upload.ts'
import { retryIngestion } from '#submissions/retry-ingestion.ts'
import { type FileContent, randomContent } from '#simulation/files.ts'
import { companies, DICTIONARY, emailOf, usersOf } from '#simulation/fixture.ts'
import type { Process } from '#simulation/process.ts'
import { FAULT_PERIOD, type Simulation } from '#simulation/simulation.ts'

const SECOND = 1000

/** An upload, with what its client knows about it. */
export type Upload = {
  fileName: string
  content: FileContent
  sha256: string
  /** The id in the 2xx response; null until there is one. */
  acceptedId: number | null
}
type Sender = Parameters<typeof acceptUpload>[1]
const personOf = (userId: number, companyId: number): Sender => ({
  companyId,
  userId,
  name: `User ${userId}`,
  email: emailOf(userId),
})

/** The people and programs that upload files, and the people who click Retry. */
export class Clients {
  readonly uploads: Upload[] = []
  readonly #simulation: Simulation

  constructor(simulation: Simulation) {
    this.#simulation = simulation
  }

  /** Schedules the upload of one life; after a refusal the same file is uploaded again. */
  begin(life: number): void {
    const { random, schedule } = this.#simulation
    const companyId = random.oneOf(companies)
    const sender: Sender = random.isLikely(0.1)
      ? { companyId, tokenId: companyId, name: `Token ${companyId}` }
      : personOf(random.oneOf(usersOf(companyId)), companyId)
    const content = randomContent(random)
    const at = random.between(0, 0.6) * FAULT_PERIOD
    schedule.add(at, null, () => this.#upload(life, 0, content, sender))
    if (random.isLikely(0.5)) schedule.add(at + random.between(2, 20) * SECOND, null, () => this.retryOne())
  }

  #webServer(): Process | null {
    const running = this.#simulation.places.flatMap(({ kind, process }) =>
      kind === 'web' && process !== null && !process.isStopping ? [process] : [],
    )
    return running.length === 0 ? null : this.#simulation.random.oneOf(running)
  }

  #upload(life: number, attempt: number, content: FileContent, sender: Sender): void {
    const { random, schedule, faultPlan, hasFaults } = this.#simulation
    if (!hasFaults) return
    const web = this.#webServer()
    if (web === null) {
      schedule.add(random.between(1, 5) * SECOND, null, () => this.#upload(life, attempt, content, sender))
      return
    }
    const fileName = `file-${life}-${attempt}.csv`
    const bytes = Buffer.from(JSON.stringify(content))
    const sha256 = hash('sha256', bytes)
    const upload: Upload = { fileName, content, sha256, acceptedId: null }
    this.uploads.push(upload)
    const willDisconnect = hasFaults && random.isLikely(faultPlan.disconnect)
    const disconnection = new AbortController()
    if (willDisconnect) schedule.add(random.below(20), web, () => disconnection.abort())
    this.#simulation.current = web
    this.#simulation.trace(`a client uploads ${fileName} (${content.kind}) to ${web.name}`)
    acceptUpload(
      this.#parts(web, fileName, bytes, disconnection.signal),
      sender,
      web.deps,
      disconnection.signal,
    ).then(
      ({ id }) =>
        this.#respond(web, () => {
          if (disconnection.signal.aborted) return
          upload.acceptedId = id
          this.#simulation.trace(`the client of ${fileName} has the response: submission ${id}`)
        }),
      (error: unknown) => {
        this.#simulation.reportIfBug(error)
        this.#simulation.trace(`the upload of ${fileName} fails: ${String(error)}`)
        this.#simulation.count('upload refused')
        if (
          !(error instanceof AppError) ||
          ![503, 507].includes(error.status) ||
          disconnection.signal.aborted
        )
          return
        schedule.add(random.between(3, 15) * SECOND, null, () =>
          this.#upload(life, attempt + 1, content, sender),
        )
      },
    )
  }

  #respond(web: Process, read: () => void): void {
    void this.#simulation.call(web, 'response', read)
  }

  async *#parts(
    web: Process,
    fileName: string,
    bytes: Buffer,
    disconnection: AbortSignal,
  ): AsyncIterable<UploadPart> {
    const call = <T>(name: string, effect: () => T) => this.#simulation.call(web, name, effect)
    const expectConnection = () => {
      if (disconnection.aborted) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    }
    async function* content() {
      const half = bytes.length >> 1
      yield await call('receives', () => bytes.subarray(0, half))
      expectConnection()
      yield await call('receives', () => bytes.subarray(half))
      expectConnection()
    }
    const file: UploadPart = { kind: 'file', name: 'file', fileName, content: content() }
    const field: UploadPart = { kind: 'field', name: 'dataDictionaryId', value: String(DICTIONARY) }
    yield* this.#simulation.random.isLikely(0.5) ? [file, field] : [field, file]
  }

  /** Clicks Retry for one of the submissions whose files could not be stored. */
  retryOne(): void {
    const failed = this.#simulation.database.rows.submissions.filter(({ status }) => status === 5)
    if (failed.length > 0) this.retry(this.#simulation.random.oneOf(failed).id)
  }

  retry(id: number): void {
    const web = this.#webServer()
    const row = this.#simulation.database.rows.submissions.find((submission) => submission.id === id)
    if (web === null || row === undefined) return
    const { companyId } = row
    this.#simulation.current = web
    this.#simulation.count('retry')
    this.#simulation.trace(`a client retries submission ${id} at ${web.name}`)
    const viewer = {
      companyId,
      tokenId: companyId,
      role: 'token' as const,
      scope: 'both' as const,
      name: 'A token',
      uploadStop: null,
    }
    retryIngestion(id, viewer, web.deps).catch((error: unknown) => {
      this.#simulation.reportIfBug(error)
      this.#simulation.trace(`the retry of ${id} fails: ${String(error)}`)
    })
  }
}
