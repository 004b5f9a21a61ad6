import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '#test/chaos/servers.ts'
import { begun, longFiles, STAGE_MILLISECONDS, type StageContext } from '#test/chaos/stage.ts'
import type { Random } from '#test/fuzz/random.ts'

/** Longer than a lease and the interval at which other workers look for ended leases. */
const FREEZE_MILLISECONDS = 32_000
/** How long the resumed server can try to write, which must fail. */
const RESUMED_MILLISECONDS = 3_000

/**
 * Freezes a server that works on a file until its lease has ended and another server works on the file. Then
 * resumes it, when it must not write anything any more, and kills it; `ended` resolves after that. null if it
 * was killed before.
 */
export async function freezePastLease(
  context: StageContext,
  target: Server,
  random: Random,
): Promise<{ server: Server; ended: Promise<void> } | null> {
  const { fileName } = context.upload(target, random, { kind: random.oneOf(longFiles) })
  const row = await context.watch.whenIn(fileName, begun, STAGE_MILLISECONDS)
  const server = context.serverOf(row?.leaseHolder ?? null) ?? target
  if (server.state !== 'up') return null
  server.freeze()
  const resumeAndKill = async () => {
    await sleep(FREEZE_MILLISECONDS)
    server.resume()
    await sleep(RESUMED_MILLISECONDS)
    await server.kill()
  }
  return { server, ended: resumeAndKill() }
}
