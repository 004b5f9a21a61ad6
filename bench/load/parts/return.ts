import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { type Clerk, clockTime } from '../clients/http.ts'
import { countStatuses, type Figure, inPart, inSeconds, percentile } from '../figures.ts'
import { growHistory } from '../history-rows.ts'
import { describeUse } from '../processor-time.ts'
import { inHalves, runClients } from '../run-clients.ts'
import type { Testbed } from '../testbed.ts'

const GOAL_SECONDS = 10
const MOVED_LATELY = 50

/** Measures a thousand open pages while their server is replaced. */
export async function measureReturn(testbed: Testbed): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const length of [100_000, 1_000_000]) {
    await growHistory(testbed, length)
    for (const spread of [true, false]) figures.push(...(await replaceServer(testbed, length, spread)))
  }
  return figures
}

async function replaceServer(testbed: Testbed, length: number, spread: boolean): Promise<Figure[]> {
  const { target, large, processorTime } = testbed
  const settings = inHalves(large.clerks).map((clerks) => ({ target, clerks, spread }))
  let backAt = 0
  let before = processorTime()
  const results = await runClients(
    'openPages',
    settings,
    () => addSubmission(testbed),
    async () => {
      await testbed.restart()
      backAt = clockTime()
      before = processorTime()
    },
  )
  const after = processorTime()
  const rightAt = results.flatMap((result) => result.rightAt)
  const statuses = results.flatMap((result) => result.statuses)
  const delays = rightAt.map((at) => (at === null ? Infinity : Math.max(0, at - backAt)))
  const longest = Math.max(...delays)
  const isMet = statuses.every((status) => status !== 503) && longest <= GOAL_SECONDS * 1000
  const part = `return of ${count(rightAt.length)} clients, ${count(length)} rows`
  const what = spread ? 'spread over seconds, as pages do' : 'all at the same moment'
  return inPart(part, [
    {
      what,
      measured:
        `half right after ${inSeconds(percentile(delays, 50))}, all after ${inSeconds(longest)}; ` +
        `lists: ${countStatuses(statuses)}`,
      ...(spread && { goal: `none 503, all within ${GOAL_SECONDS} s`, isMet }),
    },
    {
      what: `${what}: processor time per client`,
      measured: describeUse(before, after, rightAt.length),
    },
  ])
}

const count = (number: number): string => number.toLocaleString('en')

/**
 * Adds a submission that open pages do not show yet; returns its id. As after a busy minute, earlier
 * submissions have moved lately, too, so that connections begin with their pushes.
 */
async function addSubmission({ owner, large }: Testbed): Promise<number> {
  const newest = owner.selectFrom('submissions').where('companyId', '=', large.id).select('id')
  await owner
    .updateTable('submissions')
    .set({ updatedAt: sql<Date>`now()` })
    .where('id', 'in', newest.orderBy('id', 'desc').limit(MOVED_LATELY))
    .execute()
  const submission = owner.insertInto('submissions').values({
    companyId: large.id,
    userId: (large.clerks[0] as Clerk).userId,
    dictionaryVersionId: large.versionId,
    dictionaryName: 'Claims',
    fileName: 'Newest.csv',
    fileKind: 'csv',
    bytes: 20_000,
    sha256: '0'.repeat(64),
    storageKey: crypto.randomUUID(),
    status: SubmissionStatus.IngestionSuccess,
  })
  return (await submission.returning('id').executeTakeFirstOrThrow()).id
}
