import { setTimeout as sleep } from 'node:timers/promises'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { DatabaseWatch } from '#test/chaos/database-watch.ts'
import type { FileKind } from '#test/chaos/files.ts'
import type { Server } from '#test/chaos/servers.ts'
import type { UploadOptions } from '#test/chaos/uploads.ts'
import type { Random } from '#test/fuzz/random.ts'

/** What a stage needs of the campaign that runs it. */
export type StageContext = {
  watch: DatabaseWatch
  /** Uploads a file; `sent` resolves with the response, or when there can be none. */
  upload(server: Server, random: Random, options?: UploadOptions): { fileName: string; sent: Promise<void> }
  /** The servers that can be connected to. */
  up(): Server[]
  /** One of the servers that are up. */
  target(random: Random): Server
  /** The server whose advisory lock a lease names. */
  serverOf(holder: number | null): Server | undefined
  /**
   * Resolves when a server begins to write the file into its company's folder, or after `milliseconds`. null
   * in an object store, where this cannot be observed.
   */
  whenWritten(fileName: string, milliseconds: number): Promise<void> | null
  /** Counts the kill of a validator process. Kills of servers are counted when they end. */
  countKill(): void
  /** Counts the last kill as "at random" instead, because it did not hit its stage. */
  countAsRandom(): void
}

/** Waits until a server is in this stage of its work, as far as this can be observed, and kills it. */
export type Stage = {
  name: string
  run(context: StageContext, target: Server, random: Random): Promise<void>
}

const { InProcess, ValidationFailed, ValidationPassed, IngestionSuccess, IngestionFailed } = SubmissionStatus
/** The statuses of a file that a worker has begun to validate. */
export const begun = [InProcess, ValidationFailed, ValidationPassed, IngestionSuccess, IngestionFailed]
/** Files that pass. */
export const validFiles: readonly FileKind[] = ['small', 'large']
/** Files whose validation takes long enough to kill a server in it. */
export const longFiles: readonly FileKind[] = ['large', 'veryFaulty']

/** How long to wait until a server is in the stage; after that it is killed anyway. */
export const STAGE_MILLISECONDS = 10_000

/** Kills the server that works on the file as soon as its transaction waits for the lock of the test. */
export async function killBlocked(
  context: StageContext,
  fileName: string,
  status: SubmissionStatus,
  isBlocked: () => Promise<boolean>,
  target: Server,
): Promise<void> {
  await waitUntil(isBlocked)
  const row = await context.watch.whenIn(fileName, [status], 0)
  await killIn(context, fileName, status, row?.leaseHolder, target)
}

/** Kills the server that works on the file. Counts the kill as at random if the file has another status. */
export async function killIn(
  context: StageContext,
  fileName: string,
  status: SubmissionStatus,
  holder: number | null | undefined,
  target: Server,
): Promise<void> {
  const server = context.serverOf(holder ?? null)
  await (server ?? target).kill()
  const row = await context.watch.whenIn(fileName, [status], 0)
  if (server === undefined || row?.status !== status) context.countAsRandom()
}

/** Waits for a condition. Returns whether it became true in time. */
export async function waitUntil(condition: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + STAGE_MILLISECONDS
  while (!(await condition())) {
    if (performance.now() > end) return false
    await sleep(5)
  }
  return true
}
