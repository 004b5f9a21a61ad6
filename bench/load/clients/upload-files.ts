import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, type Clerk, clockTime, inLanes, type Response, type Target } from './http.ts'
import { connectLive } from './live.ts'

type UploadSettings = {
  target: Target
  dictionaryId: number
  /** The file that is uploaded again and again. */
  path: string
  count: number
}

/** Uploads files, several at once. */
export async function uploadFiles({
  clerks,
  count,
  atOnce,
  ...settings
}: UploadSettings & { clerks: readonly Clerk[]; atOnce: number }) {
  const upload = uploader(settings)
  const begun = clockTime()
  const statuses = await inLanes(count, atOnce, async (number) => {
    const { status } = await upload(clerks[number % clerks.length] as Clerk, `Claims_${number}.csv`)
    return status
  })
  return { begun, statuses }
}

const PAUSE_MILLISECONDS = 300
const LONGEST_MILLISECONDS = 10_000
const { ValidationPassed, IngestionSuccess } = SubmissionStatus

/**
 * Nothing else goes on meanwhile. Returns for each file the milliseconds from the start of the upload to its
 * response, to the push that it passed, and to the push that it is stored.
 */
export async function uploadAndListen({
  clerk,
  count,
  ...settings
}: UploadSettings & { clerk: Clerk }): Promise<{ accepted: number; validated: number; stored: number }[]> {
  const upload = uploader(settings)
  const arrivals = new Map<string, number>()
  const socket = await connectLive(settings.target, clerk, ({ FileId, FilesStatus }) =>
    arrivals.set(`${FileId} ${FilesStatus}`, performance.now()),
  )
  const times = []
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

function uploader({ target, dictionaryId, path }: Omit<UploadSettings, 'count'>) {
  const file = new Blob([readFileSync(path)], { type: 'text/csv' })
  return (clerk: Clerk, fileName: string): Promise<Response> => {
    const form = new FormData()
    form.append('dataDictionaryId', String(dictionaryId))
    form.append('file', file, fileName)
    return call(target, clerk, '/api/FileSubmission', form)
  }
}
