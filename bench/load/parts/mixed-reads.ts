import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { databaseOn } from '../../../apps/server/src/platform/database/database.ts'
import { withClient } from '../../../apps/server/src/platform/database/with-client.ts'
import type { Sent } from '../clients/request.ts'
import { countStatuses, type Figure, inPart, timesFigure } from '../figures.ts'
import { runClient, runClients } from '../run-clients.ts'
import type { PartSettings, Testbed } from '../testbed.ts'
import { newestId, waitUntilSettled } from './small-files.ts'

const PER_SECOND = 200
const SOCKETS = 20
/** Submissions of the large company: a third rejected, uploaded by all its clerks, one a minute. */
const ROWS = 20_000
const LONGEST_MILLISECONDS = 60_000

/** Reads of many clerks while files of 25 MiB are validated, one after the other, and others listen. */
export async function measureMixedReads(testbed: Testbed, { seconds }: PartSettings): Promise<Figure[]> {
  await addHistory(testbed)
  const { target, large, uploading } = testbed
  let sent: Sent[] = []
  let validated = 0
  const listeners = { target, clerks: large.clerks.slice(0, SOCKETS) }
  const [{ lost }] = await runClients('listen', [listeners], async () => {
    const count = PER_SECOND * seconds
    const paths = await pathsOf(testbed)
    const reading = runClient('request', {
      target,
      clerks: large.clerks,
      paths,
      count,
      perSecond: PER_SECOND,
    })
    let isDone = false
    reading.finally(() => (isDone = true)).catch(() => {})
    for (; !isDone; validated++) {
      const before = await newestId(testbed)
      const { clerks, dictionaryId } = uploading
      const { path } = testbed.largeFile
      await runClient('uploadFiles', { target, clerks, dictionaryId, path, count: 1, atOnce: 1 })
      await waitUntilSettled(testbed, before, LONGEST_MILLISECONDS)
    }
    sent = await reading
    return {}
  })
  const statuses = sent.map(({ status }) => status)
  return inPart(`${PER_SECOND} requests/s for ${seconds} s`, [
    timesFigure(
      `${SOCKETS} sockets, ${validated} files of 25 MiB meanwhile`,
      sent.map(({ ms }) => ms),
      { percentile: 95, atMost: 200 },
    ),
    {
      what: 'responses',
      measured: `${countStatuses(statuses)}; ${lost} lost connections`,
      goal: 'no error',
      isMet: statuses.every((status) => status === 200) && lost === 0,
    },
  ])
}

/** Not on a connection of the portal's kind, which ends statements after some seconds. */
const addHistory = ({ databaseUrl, large }: Testbed): Promise<void> =>
  withClient({ connectionString: databaseUrl }, async (client) => {
    const db = databaseOn(client)
    const firstUser = Math.min(...large.clerks.map(({ userId }) => userId))
    const { ValidationFailed, IngestionSuccess } = SubmissionStatus
    // Without the checks of foreign keys.
    await sql`set session_replication_role = replica`.execute(db)
    await sql`
      insert into submissions (company_id, user_id, dictionary_version_id, dictionary_name, file_name,
        file_kind, bytes, sha256, storage_key, status, records_count, error_row_count, cell_error_count,
        created_at, updated_at, settled_at)
      select ${large.id}, ${firstUser} + n % ${sql.lit(large.clerks.length)}, ${large.versionId}, 'Claims',
        'Claims_' || to_char(at, 'YYYY-MM') || '_' || substr(md5(n::text), 1, 8) || '.csv', 'csv',
        20000, md5(n::text) || md5(n::text), gen_random_uuid()::text,
        case n % 3 when 0 then ${sql.lit(ValidationFailed)} else ${sql.lit(IngestionSuccess)} end,
        200, case n % 3 when 0 then 3 else 0 end, case n % 3 when 0 then 5 else 0 end, at, at, at
      from generate_series(1, ${sql.lit(ROWS)}) n,
        lateral (select now() - make_interval(mins => ${sql.lit(ROWS)} - n + 10) as at) as uploaded
    `.execute(db)
    await sql`vacuum (analyze) submissions`.execute(db)
  })

/** What clerks look at. */
async function pathsOf(testbed: Testbed): Promise<string[]> {
  const newest = await newestId(testbed)
  return [
    '/api/FileSubmission?PageNumber=1&PageSize=10',
    '/api/FileSubmission?PageNumber=2&PageSize=10',
    '/api/FileSubmission?PageNumber=1&PageSize=10&Status=2',
    '/api/FileSubmission?PageNumber=1&PageSize=10&SearchText=1f0c',
    `/api/FileSubmission/${newest}`,
    '/api/DataDictionary/GetListForSelection',
    '/api/Session',
  ]
}
