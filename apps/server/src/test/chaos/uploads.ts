import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#platform/database/tables.ts'
import { type Clerk, CLERKS_PER_COMPANY } from '#test/chaos/clerks.ts'
import { type FileKind, fileKinds, makeFile } from '#test/chaos/files.ts'
import type { Outcome, SentUpload } from '#test/chaos/invariants.ts'
import { outcomeOf } from '#test/chaos/outcome.ts'
import { type Cut, sendUpload } from '#test/chaos/send-upload.ts'
import type { Server } from '#test/chaos/servers.ts'
import type { Random } from '#test/fuzz/random.ts'

export type UploadOptions = { kind?: FileKind; cut?: Cut }

/** All uploads of a campaign, with the outcome that each must have. */
export class Uploads {
  readonly all: SentUpload[] = []
  /** The uploads since `beginGroup`. */
  ofGroup: SentUpload[] = []
  acceptedCount = 0
  readonly #clerks: readonly Clerk[]
  readonly #outcomes = new Map<FileKind, Outcome>()
  #pending: Promise<unknown>[] = []

  constructor(clerks: readonly Clerk[]) {
    this.#clerks = clerks
  }

  /**
   * Uploads each kind of file to a server without faults and records its outcome. Afterwards the folder of
   * each company has a file.
   */
  async recordOutcomes(server: Server, db: Db, random: Random): Promise<void> {
    const kinds: FileKind[] = [...fileKinds, 'small']
    for (const [index, kind] of kinds.entries()) {
      const { token, dictionaryId } = this.#clerks[
        (index * CLERKS_PER_COMPANY) % this.#clerks.length
      ] as Clerk
      const { address } = server
      const { bytes } = makeFile(kind, random)
      const fileName = `reference-${index}.csv`
      const id = await sendUpload({ address, token, dictionaryId, fileName, bytes })
      if (id === null) throw new Error(`A server that nobody killed refused ${kind}`)
      for (;;) {
        const row = db.selectFrom('submissions').select('settledAt').where('id', '=', id)
        if ((await row.executeTakeFirstOrThrow()).settledAt !== null) break
        await sleep(20)
      }
      this.#outcomes.set(kind, await outcomeOf(db, id))
    }
  }

  beginGroup(): void {
    this.ofGroup = []
  }

  /** Uploads a file. Returns its name at once; `waitForResponses` waits for the response. */
  send(
    server: Server,
    random: Random,
    { kind = random.oneOf(fileKinds), cut }: UploadOptions = {},
  ): { fileName: string; sent: Promise<void> } {
    const { bytes, sha256 } = makeFile(kind, random)
    const number = String(this.all.length).padStart(6, '0')
    const fileName = `u${number}-${kind}.csv`
    const outcome = this.#outcomes.get(kind) as Outcome
    const upload: SentUpload = { fileName, sha256, id: null, outcome }
    this.all.push(upload)
    this.ofGroup.push(upload)
    const { token, dictionaryId } = random.oneOf(this.#clerks)
    const request = { address: server.address, token, dictionaryId, fileName, bytes }
    const sent = sendUpload(request, cut).then((id) => {
      upload.id = id
      if (id !== null) this.acceptedCount++
    })
    this.#pending.push(sent)
    return { fileName, sent }
  }

  async waitForResponses(): Promise<void> {
    await Promise.all(this.#pending.splice(0))
  }
}
