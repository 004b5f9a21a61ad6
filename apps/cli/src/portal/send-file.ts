import { open, type FileHandle } from 'node:fs/promises'
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { uploadSubmission } from '@veridict/contract/api/submissions'
import { uploadFault } from '@veridict/contract/forms/upload'
import { PortalError, UsageError } from '#exit-code.ts'
import { type Portal, reasonOf, type Reply, readReply } from './portal.ts'

export type FileToSend = { path: string; name: string; dictionaryId: number }

/** The upload fails if the portal sends nothing for this long after it has the file. */
const SILENCE_MILLISECONDS = 300_000

/**
 * Uploads a file, which is read from the disk in parts. Throws PortalError when the connection breaks. Until
 * the last byte was sent, that means that nothing was uploaded; after it, the portal may have the file.
 */
export async function sendFile(
  portal: Portal,
  { path, name, dictionaryId }: FileToSend,
  onProgress: (done: number, size: number) => void = () => {},
): Promise<Reply> {
  const file = await open(path)
  try {
    const size = await sizeOf(file, path, name)
    const boundary = `veridict-${randomUUID()}`
    const head = Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="dataDictionaryId"\r\n\r\n${dictionaryId}\r\n` +
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escaped(name)}"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    )
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
    async function* body() {
      yield head
      let done = 0
      if (size > 0) {
        for await (const chunk of file.createReadStream({ end: size - 1, autoClose: false })) {
          done += (chunk as Buffer).length
          onProgress(done, size)
          yield chunk as Buffer
        }
      }
      if (done !== size) throw new PortalError(`${path} changed while it was read; nothing was uploaded.`)
      yield tail
    }
    return await post(portal, Readable.from(body()), {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + size + tail.length),
    })
  } finally {
    await file.close()
  }
}

async function sizeOf(file: FileHandle, path: string, name: string): Promise<number> {
  const stats = await file.stat()
  if (!stats.isFile()) throw new UsageError(`${path} is not a file.`)
  const fault = uploadFault({ name, size: stats.size })
  if (fault !== null) throw new PortalError(fault)
  return stats.size
}

const escapes: Readonly<Record<string, string>> = { '"': '%22', '\r': '%0D', '\n': '%0A' }
/** Escapes a name as browsers do (HTML, "multipart/form-data encoding algorithm"). */
const escaped = (name: string): string => name.replaceAll(/["\r\n]/g, (character) => escapes[character] ?? '')

/** With this variable Node uses a proxy for `fetch`, but not for an agent that we create. */
const proxyOf = (env: NodeJS.ProcessEnv) => (env.NODE_USE_ENV_PROXY === '1' ? { proxyEnv: env } : {})

/** Resolves with the reply, also with one that comes before everything is sent. */
function post({ url, headers }: Portal, body: Readable, own: Record<string, string>): Promise<Reply> {
  const isHttps = url.startsWith('https:')
  // With `connection: close`, the connection would be closed after an early reply, before the reply is read.
  const agent = new (isHttps ? HttpsAgent : HttpAgent)({ keepAlive: true, ...proxyOf(process.env) })
  const reply = new Promise<Reply>((resolve, reject) => {
    const request = (isHttps ? requestHttps : requestHttp)(url + uploadSubmission.path, {
      method: uploadSubmission.method,
      headers: { ...headers, ...own },
      timeout: SILENCE_MILLISECONDS,
      agent,
    })
    const fail = (error: Error) =>
      reject(error instanceof PortalError ? error : brokenAt(request, url, error))
    request.on('timeout', () => request.destroy(new Error('it did not reply')))
    request.on('error', fail)
    request.on('response', (response) => {
      // The portal does not need the rest of the file.
      body.unpipe(request)
      toReply(response).then(resolve, (error: Error) => reject(brokenAt(request, url, error)))
    })
    body.on('error', (error) => request.destroy(error))
    body.pipe(request)
  })
  return reply.finally(() => agent.destroy())
}

async function toReply(response: IncomingMessage): Promise<Reply> {
  const { 'retry-after': retryAfter = null } = response.headers
  return { status: response.statusCode ?? 0, retryAfter, body: await readReply(response) }
}

function brokenAt(request: { writableFinished: boolean }, url: string, error: Error): PortalError {
  const what = request.writableFinished
    ? 'after the file was sent. It is unknown whether the portal took it: look at the history before you ' +
      'upload it again'
    : 'before the file was sent completely; nothing was uploaded'
  return new PortalError(`The connection to ${url} broke (${reasonOf(error)}) ${what}.`, { cause: error })
}
