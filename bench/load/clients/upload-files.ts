import { createReadStream, readFileSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import {
  call,
  type Clerk,
  clockTime,
  headersOf,
  keepAliveAgent,
  type Response,
  type Step,
  type Target,
} from './http.ts'

const BOUNDARY = 'load-boundary'
const SMALL = 1024 * 1024

export type UploadSettings = {
  target: Target
  clerks: readonly Clerk[]
  dictionaryId: number
  /** The file that is uploaded again and again. */
  path: string
  count: number
  atOnce: number
}

export type Uploaded = { begun: number; statuses: number[] }

/** Uploads files, several at once, after the first `step`. */
export async function uploadFiles(settings: UploadSettings, step: Step): Promise<Uploaded> {
  const { clerks, count, atOnce } = settings
  const upload = uploader(settings)
  await step()
  const begun = clockTime()
  const statuses: number[] = []
  let next = 0
  const lane = async () => {
    while (next < count) {
      const number = next++
      statuses.push((await upload(clerks[number % clerks.length] as Clerk, `Claims_${number}.csv`)).status)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return { begun, statuses }
}

/** A small file is read once, a large one is streamed. */
export function uploader({
  target,
  dictionaryId,
  path,
}: Pick<UploadSettings, 'target' | 'dictionaryId' | 'path'>): (
  clerk: Clerk,
  fileName: string,
) => Promise<Response> {
  const agent = keepAliveAgent()
  const bytes = statSync(path).size
  const content = bytes < SMALL ? readFileSync(path) : null
  const end = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  return (clerk, fileName) => {
    const start = Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="dataDictionaryId"\r\n\r\n${dictionaryId}\r\n` +
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n` +
        'Content-Type: text/csv\r\n\r\n',
    )
    return call(`${target.address}/api/FileSubmission`, {
      method: 'POST',
      agent,
      headers: {
        ...headersOf(target, clerk),
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
        'Content-Length': String(start.length + bytes + end.length),
      },
      body: content === null ? Readable.from(parts(start, path, end)) : Buffer.concat([start, content, end]),
    })
  }
}

async function* parts(start: Buffer, path: string, end: Buffer): AsyncGenerator<Buffer> {
  yield start
  for await (const chunk of createReadStream(path)) yield chunk as Buffer
  yield end
}
