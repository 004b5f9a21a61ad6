import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { clockTime } from '../clients/http.ts'
import type { Published } from '../clients/live.ts'
import { inPart, timesFigure } from '../figures.ts'
import { inHalves, runClients } from '../run-clients.ts'
import type { Testbed } from '../testbed.ts'

const NEWS = 100
const PAUSE_MILLISECONDS = 100
/** Beyond the ids of real submissions. */
const FIRST_ID = 2_000_000_000

/** Measures pushes about one submission to the open pages of all clerks of its company. */
export async function measureSockets({ owner, target, large, processorTime, residentBytes }: Testbed) {
  const settings = inHalves(large.clerks).map((clerks) => ({ target, clerks }))
  const bytesBefore = residentBytes()
  let bytes = 0
  let seconds = 0
  const results = await runClients('listen', settings, async () => {
    bytes = residentBytes() - bytesBefore
    const before = processorTime()
    const published: Published = {}
    for (let number = 0; number < NEWS; number++) {
      const id = FIRST_ID + number
      const status = {
        FileId: id,
        FilesStatus: SubmissionStatus.InProcess,
        RecordCount: null,
        companyId: large.id,
        userId: large.clerks[0]?.userId,
      }
      published[id] = clockTime()
      await sql`select pg_notify('veridict_news', ${JSON.stringify({ status })})`.execute(owner)
      await sleep(PAUSE_MILLISECONDS)
    }
    await sleep(1000)
    seconds = processorTime().server - before.server
    return published
  })
  const milliseconds = results.flatMap((result) => result.milliseconds)
  const lost = results.reduce((sum, result) => sum + result.lost, 0)
  const expected = NEWS * large.clerks.length
  const part = `${large.clerks.length.toLocaleString('en')} sockets`
  return inPart(part, [
    timesFigure('from before the commit to the client', milliseconds, { percentile: 95, atMost: 100 }),
    {
      what: 'pushes that arrived',
      measured: `${milliseconds.length} of ${expected}, ${lost} lost connections`,
      goal: 'all',
      isMet: milliseconds.length === expected,
    },
    {
      what: 'memory of the server per connection, with what it keeps after many handshakes',
      measured: `${(bytes / large.clerks.length / 1000).toFixed(0)} kB`,
    },
    {
      what: 'processor time of the server',
      measured: `${((seconds * 1e6) / expected).toFixed(1)} µs per push`,
    },
  ])
}
