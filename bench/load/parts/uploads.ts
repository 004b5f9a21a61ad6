import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { clockTime } from '../clients/http.ts'
import { countStatuses, type Figure, inSeconds } from '../figures.ts'
import { describeUse } from '../processor-time.ts'
import { startClients } from '../start-clients.ts'
import type { Testbed } from '../testbed.ts'
import { newestId, waitUntilSettled } from './small-files.ts'

const UPLOADS = 20
const MIB = 1024 * 1024
const GOAL_MIB = 600
const GOAL_SECONDS = 300
const SAMPLE_MILLISECONDS = 50

/** Measures large files that are all uploaded at once. */
export async function measureUploads(testbed: Testbed): Promise<Figure[]> {
  const { target, uploading, largeFile, processorTime } = testbed
  const { clerks, dictionaryId } = uploading
  const before = await newestId(testbed)
  let peak = testbed.residentBytes()
  const sampling = setInterval(() => (peak = Math.max(peak, testbed.residentBytes())), SAMPLE_MILLISECONDS)
  const settings = { target, clerks, dictionaryId, path: largeFile.path, count: UPLOADS, atOnce: UPLOADS }
  const clients = startClients('uploadFiles', [settings])
  await clients.step()
  clients.go()
  const timeBefore = processorTime()
  const [{ begun, statuses }] = await clients.results()
  const accepted = clockTime() - begun
  const final = await waitUntilSettled(testbed, before, 2 * GOAL_SECONDS * 1000)
  const all = clockTime() - begun
  clearInterval(sampling)
  const timeAfter = processorTime()
  const stored = final.filter((status) => status === SubmissionStatus.IngestionSuccess).length
  const megabytes = (UPLOADS * largeFile.bytes) / 1e6
  const part = `${UPLOADS} × 25 MiB at once`
  return [
    {
      part,
      what: 'all accepted',
      measured: `${countStatuses(statuses)} after ${inSeconds(accepted)}`,
      goal: 'all 202',
      isMet: statuses.every((status) => status === 202),
    },
    {
      part,
      what: 'all stored',
      measured: `${stored} after ${inSeconds(all)}, ${((megabytes * 1000) / all).toFixed(0)} MB/s`,
      goal: `all within ${GOAL_SECONDS} s`,
      isMet: stored === UPLOADS && all <= GOAL_SECONDS * 1000,
    },
    { part, what: 'processor time per file', measured: describeUse(timeBefore, timeAfter, UPLOADS) },
    {
      part,
      what: "most memory of the server's main process",
      measured: `${(peak / MIB).toFixed(0)} MiB`,
      goal: `≤ ${GOAL_MIB} MiB`,
      isMet: peak <= GOAL_MIB * MIB,
    },
    temporaryFiles(testbed, part),
  ]
}

/** The files that uploads leave in the folder where they are received. */
function temporaryFiles({ dataDir }: Testbed, part: string): Figure {
  const files = readdirSync(join(dataDir, 'storage/.incoming'))
  return {
    part,
    what: 'temporary files afterwards',
    measured: `${files.length}`,
    goal: '0',
    isMet: files.length === 0,
  }
}
