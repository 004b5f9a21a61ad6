import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { longFiles, type Stage, STAGE_MILLISECONDS, waitUntil } from '#test/chaos/stage.ts'

const { Uploaded } = SubmissionStatus

export const duringBody: Stage = {
  name: 'upload body',
  async run(context, target, random) {
    const kill = () => target.kill()
    const { sent } = context.upload(target, random, {
      kind: random.oneOf(longFiles),
      cut: { at: random.next(), act: kill },
    })
    await sent
  },
}

/** The file has its name in the storage, and the transaction waits for its first lock. */
export const beforeRow = blocked(
  'bytes stored, no row',
  'select from dictionaries for update',
  'dictionaries',
)
/** The row is written, and the transaction waits to record it in the audit trail. */
export const beforeCommit = blocked(
  'row written, not committed',
  'lock table audit_entries in share mode',
  'audit_entries',
)

/** Kills the server while `lock` keeps one of its transactions waiting in a statement with these words. */
function blocked(name: string, lock: string, statement: string): Stage {
  return {
    name,
    run: (context, target, random) =>
      context.watch.withLock(lock, async (isBlocked) => {
        context.upload(target, random)
        const isReached = await waitUntil(() => isBlocked(statement))
        await target.kill()
        if (!isReached) context.countAsRandom()
      }),
  }
}

export const beforeReply: Stage = {
  name: 'committed, no response',
  async run(context, target, random) {
    const { isSent } = await context.watch.nextStatusEvent(Uploaded, STAGE_MILLISECONDS)
    context.upload(target, random)
    const isReached = await isSent
    await target.kill()
    if (!isReached) context.countAsRandom()
  },
}
