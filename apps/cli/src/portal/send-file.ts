import { readFileSync, statSync } from 'node:fs'
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as requestHttp,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { uploadSubmission } from '@veridict/contract/api/submissions'
import { uploadFault } from '@veridict/contract/forms/upload'
import { PortalError, UsageError } from '#exit-code.ts'
import { type Portal, reasonOf, type Reply, readReply } from './portal.ts'

export type FileToSend = { path: string; name: string; dictionaryId: number }

/** The upload fails if the portal takes and sends nothing for this long. */
const SILENCE_MILLISECONDS = 300_000

/**
 * Throws PortalError when the connection breaks. Before the last byte was sent, nothing was uploaded; after
 * it, the portal may have the file.
 */
export async function sendFile(portal: Portal, { path, name, dictionaryId }: FileToSend): Promise<Reply> {
  const form = new FormData()
  form.append('dataDictionaryId', String(dictionaryId))
  form.append('file', new File([contentOf(path, name)], name))
  const encoded = new Response(form)
  return post(portal, Buffer.from(await encoded.arrayBuffer()), encoded.headers.get('content-type')!)
}

/** As a whole: a file that the portal takes fits into memory. */
function contentOf(path: string, name: string): Buffer<ArrayBuffer> {
  const stats = statSync(path)
  if (!stats.isFile()) throw new UsageError(`${path} is not a file.`)
  const fault = uploadFault({ name, size: stats.size })
  if (fault !== null) throw new PortalError(fault)
  return readFileSync(path)
}

/** With this variable Node uses a proxy for `fetch`, but not for an agent that we create. */
const proxyOf = (env: NodeJS.ProcessEnv) => (env.NODE_USE_ENV_PROXY === '1' ? { proxyEnv: env } : {})

/** The reply may come before everything is sent. `fetch` does not say how much was sent before a break. */
function post({ url, headers }: Portal, body: Buffer, contentType: string): Promise<Reply> {
  const isHttps = url.startsWith('https:')
  // With `connection: close`, the connection would be closed after an early reply, before the reply is read.
  const agent = new (isHttps ? HttpsAgent : HttpAgent)({ keepAlive: true, ...proxyOf(process.env) })
  const reply = new Promise<Reply>((resolve, reject) => {
    const request = (isHttps ? requestHttps : requestHttp)(url + uploadSubmission.path, {
      method: uploadSubmission.method,
      headers: { ...headers, 'content-type': contentType, 'content-length': body.length },
      timeout: SILENCE_MILLISECONDS,
      agent,
    })
    const fail = (error: Error) => reject(brokenAt(request, url, error))
    request.on('timeout', () => request.destroy(new Error('it did not reply')))
    request.on('error', fail)
    request.on('response', (response) => void toReply(response).then(resolve, fail))
    request.end(body)
  })
  return reply.finally(() => agent.destroy())
}

async function toReply(response: IncomingMessage): Promise<Reply> {
  const { 'retry-after': retryAfter = null } = response.headers
  return { status: response.statusCode ?? 0, retryAfter, body: await readReply(response) }
}

function brokenAt({ writableFinished }: ClientRequest, url: string, error: Error): PortalError {
  const what = writableFinished
    ? 'after the file was sent. It is unknown whether the portal took it: look at the history before you ' +
      'upload it again'
    : 'before the file was sent completely; nothing was uploaded'
  return new PortalError(`The connection to ${url} broke (${reasonOf(error)}) ${what}.`, { cause: error })
}
