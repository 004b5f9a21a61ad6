import { setTimeout as sleep } from 'node:timers/promises'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { Clerk } from './http.ts'
import { connectLive } from './live.ts'
import { uploader, type UploadSettings } from './upload-files.ts'

const { ValidationPassed, IngestionSuccess } = SubmissionStatus
const PAUSE_MILLISECONDS = 300
const LONGEST_MILLISECONDS = 10_000

type Settings = Omit<UploadSettings, 'clerks' | 'atOnce'> & { clerk: Clerk }
export type Times = { accepted: number; validated: number; stored: number }

/**
 * Uploads one file after the other while nothing else goes on. For each, the milliseconds from the start of
 * the upload to its response, to the push that it passed, and to the push that it is stored.
 */
export async function uploadAndListen({ clerk, count, ...settings }: Settings): Promise<Times[]> {
  const upload = uploader(settings)
  const arrivals = new Map<string, number>()
  const socket = await connectLive(settings.target, clerk, ({ FileId, FilesStatus }) =>
    arrivals.set(`${FileId} ${FilesStatus}`, performance.now()),
  )
  const times: Times[] = []
  for (let number = 0; number < count; number++) {
    await sleep(PAUSE_MILLISECONDS)
    const begun = performance.now()
    const { status, body } = await upload(clerk, `Idle_${number}.csv`)
    const accepted = performance.now() - begun
    if (status !== 202) throw new Error(`An upload got ${status}: ${body}`)
    const { id } = (JSON.parse(body) as { value: { id: number } }).value
    const arrival = async (wanted: SubmissionStatus) => {
      while (!arrivals.has(`${id} ${wanted}`) && performance.now() - begun < LONGEST_MILLISECONDS)
        await sleep(1)
      return (arrivals.get(`${id} ${wanted}`) ?? Infinity) - begun
    }
    times.push({
      accepted,
      validated: await arrival(ValidationPassed),
      stored: await arrival(IngestionSuccess),
    })
  }
  socket.terminate()
  return times
}
