import type { Sent } from '../clients/request.ts'
import { countStatuses, type Figure, inPart, timesFigure } from '../figures.ts'
import { growHistory } from '../history-rows.ts'
import { runClient, runClients } from '../run-clients.ts'
import type { PartSettings, Testbed } from '../testbed.ts'
import { newestId, waitUntilSettled } from './small-files.ts'

const PER_SECOND = 200
const SOCKETS = 20
/** Submissions of the large company. */
const ROWS = 20_000
const LONGEST_MILLISECONDS = 60_000

/** Reads of many clerks while files of 25 MiB are validated, one after the other, and others listen. */
export async function measureMixedReads(testbed: Testbed, { seconds }: PartSettings): Promise<Figure[]> {
  await growHistory(testbed, ROWS)
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
