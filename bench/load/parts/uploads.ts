import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { clockTime } from '../clients/http.ts'
import { countStatuses, type Figure, inPart, inSeconds } from '../figures.ts'
import { describeUse } from '../processor-time.ts'
import { runClient } from '../run-clients.ts'
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
  const timeBefore = processorTime()
  const { begun, statuses } = await runClient('uploadFiles', settings)
  const accepted = clockTime() - begun
  const final = await waitUntilSettled(testbed, before, 2 * GOAL_SECONDS * 1000)
  const all = clockTime() - begun
  clearInterval(sampling)
  const timeAfter = processorTime()
  const stored = final.filter((status) => status === SubmissionStatus.IngestionSuccess).length
  const megabytes = (UPLOADS * largeFile.bytes) / 1e6
  // The files that uploads leave in the folder where they are received.
  const left = readdirSync(join(testbed.dataDir, 'storage/.incoming')).length
  const part = `${UPLOADS} × 25 MiB at once`
  return inPart(part, [
    {
      what: 'all accepted',
      measured: `${countStatuses(statuses)} after ${inSeconds(accepted)}`,
      goal: 'all 202',
      isMet: statuses.every((status) => status === 202),
    },
    {
      what: 'all stored',
      measured: `${stored} after ${inSeconds(all)}, ${((megabytes * 1000) / all).toFixed(0)} MB/s`,
      goal: `all within ${GOAL_SECONDS} s`,
      isMet: stored === UPLOADS && all <= GOAL_SECONDS * 1000,
    },
    { what: 'processor time per file', measured: describeUse(timeBefore, timeAfter, UPLOADS) },
    {
      what: "most memory of the server's main process",
      measured: `${(peak / MIB).toFixed(0)} MiB`,
      goal: `≤ ${GOAL_MIB} MiB`,
      isMet: peak <= GOAL_MIB * MIB,
    },
    { what: 'temporary files afterwards', measured: `${left}`, goal: '0', isMet: left === 0 },
  ])
}
