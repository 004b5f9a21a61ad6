import type { Sent } from '../clients/request.ts'
import { countStatuses, type Figure, inPart, timesFigure } from '../figures.ts'
import { growHistory } from '../history-rows.ts'
import { describeUse } from '../processor-time.ts'
import { runClient } from '../run-clients.ts'
import { METRICS_TOKEN, type PartSettings, type Testbed } from '../testbed.ts'

const ALONE = 500

const list = (query: string) => `/api/FileSubmission?PageSize=10&${query}`
const search = (text: string) => list(`PageNumber=1&SearchText=${encodeURIComponent(text)}`)

/** All files, a month of files, few, none. */
const searches = ['Claims', '2024-03', '_1f0c', 'c4ca4238', '9a2b', 'zzz'].map(search)
/** All files, and none: no name has a "q". */
const shortSearches = ['Cl', 'qq'].map(search)

export async function measureHistory(testbed: Testbed, { rows }: PartSettings): Promise<Figure[]> {
  await growHistory(testbed, rows)
  const { target, large, processorTime } = testbed
  const clerks = large.clerks.slice(0, 40)
  const read = (paths: string[], count: number, atOnce = 1) =>
    runClient('request', { target, clerks, paths, count, atOnce })
  const part = `history of ${rows.toLocaleString('en')}`
  const figure = (what: string, sent: Sent[], atMost?: number) => {
    const goal = atMost === undefined ? undefined : ({ percentile: 95, atMost } as const)
    const times = timesFigure(
      what,
      sent.map(({ ms }) => ms),
      goal,
    )
    const statuses = sent.map(({ status }) => status)
    if (statuses.every((status) => status === 200)) return times
    // Times of refused requests say nothing.
    return { ...times, measured: `${times.measured}, ${countStatuses(statuses)}`, isMet: false }
  }
  const prometheus = clerks.slice(0, 1).map((clerk) => ({ ...clerk, token: METRICS_TOKEN }))
  const metrics = { target, clerks: prometheus, paths: ['/metrics'], count: 100, atOnce: 1 }
  const firstPage = list('PageNumber=1')
  await read([firstPage], 100)
  const before = processorTime()
  const alone = await read([firstPage], ALONE)
  const after = processorTime()
  const atOnce = await read(
    [...searches, ...searches, ...searches, ...shortSearches, ...shortSearches],
    40,
    40,
  )
  return inPart(part, [
    figure('first page, alone', alone, 20),
    { what: 'processor time of it', measured: describeUse(before, after, ALONE) },
    figure('first page, 20 at once', await read([firstPage], 1000, 20)),
    figure('search, three characters or more', await read(searches, 120), 50),
    figure('search, two characters that all names have', await read([shortSearches[0] as string], 30)),
    figure('search, two characters that no name has', await read([shortSearches[1] as string], 10)),
    figure('page 1,000', await read([list('PageNumber=1000')], 100), 50),
    figure('page 90,000', await read([list('PageNumber=90000')], 20)),
    figure('/metrics', await runClient('request', metrics), 20),
    {
      what: '40 searches at once, 7 of them with two characters',
      measured: `${countStatuses(atOnce.map(({ status }) => status))}, ${
        timesFigure(
          '',
          atOnce.map(({ ms }) => ms),
        ).measured
      }`,
      goal: 'all 200',
      isMet: atOnce.every(({ status }) => status === 200),
    },
  ])
}
