import { Readable } from 'node:stream'
import {
  type Access,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  messageReply,
  type Envelope,
} from '@veridict/contract/api/endpoint'
import { uploadStopHeader } from '@veridict/contract/api/config'
import { bodyLimits, callLimits } from '@veridict/contract/limits'
import { noticeMessages } from '@veridict/contract/messages/notices'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { viewOfCaller } from '#platform/database/caller-view.ts'
import type { Deps } from '#deps.ts'
import { forbidden, unsupportedMediaType } from '#errors.ts'
import { checkApiKey, authenticateAndFollow, refuseEnded } from '#platform/http/authenticate.ts'
import { fullAddress } from '#platform/http/caller-address.ts'
import { beginDownload, sendDownload, type Download } from '#platform/http/download.ts'
import { closeAfterRefusal, uploadParts } from '#platform/http/multipart.ts'
import { parseBody, parseParams, parseQuery } from '#platform/http/parse-call.ts'
import { inSpan, startSpan } from '#platform/http/trace-calls.ts'
import type { UploadPart } from '#platform/storage/receive-upload.ts'
import { whenClosed } from '#platform/http/when-closed.ts'
import {
  type Caller,
  personKey,
  type CompanyViewer,
  type TokenViewer,
  type Uploader,
  type Viewer,
  mayCall,
  reasonOfRefusal,
} from '#platform/access/viewer.ts'
import { holdAuthority } from '#platform/access/authority.ts'

declare module 'fastify' {
  interface FastifyInstance {
    deps: Deps
  }
  interface FastifyRequest {
    /** The caller after authentication; null on public calls. */
    viewer: Viewer | TokenViewer | null
    /** Gives back the place that this call has among those of its caller; null without one. */
    leaveLine: (() => void) | null
  }
}

type ViewerOf<A extends Access> = A extends 'public'
  ? null
  : A extends 'companyUser'
    ? CompanyViewer
    : A extends 'uploader' | 'reader' | 'uploaderOrReader'
      ? Uploader
      : Viewer

/** A call for its handler: authorized, parsed and typed by its endpoint. Only uploads have `parts`. */
export type Call<E extends Endpoint> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  viewer: ViewerOf<E['access']>
  parts: E extends { multipart: object } ? AsyncGenerator<UploadPart> : undefined
  request: FastifyRequest
  reply: FastifyReply
  /** Aborted when the client disconnects before the reply. */
  disconnected: AbortSignal
  deps: Deps
}

type Result<E extends Endpoint> = E extends { download: true }
  ? Download
  : E extends { says: string; reply: typeof messageReply }
    ? unknown
    : ReplyOf<E> | WithMessage<ReplyOf<E>> | LongResult
export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Result<E>>

/** A handler for each call of a part of the contract. */
type Handlers<Part> = {
  [Name in keyof Part as Part[Name] extends Endpoint ? Name : never]: Part[Name] extends Endpoint
    ? Handler<Part[Name]>
    : never
}

/** Returns what mounts the calls of a part of the contract, whose exports are its endpoints by name. */
export const mountCalls =
  <const Part extends object>(part: Part, handlers: Handlers<Part>) =>
  (app: FastifyInstance): void => {
    for (const [name, handler] of Object.entries(handlers))
      mount(app, (part as Record<string, Endpoint>)[name]!, handler as Handler<Endpoint>)
  }

/** A result with a sentence that the page shows as a success. Each of its members goes on the wire. */
export class WithMessage<T> {
  readonly value: T
  readonly successMessage: string
  constructor(value: T, successMessage: string) {
    this.value = value
    this.successMessage = successMessage
  }
}

/**
 * `value` as JSON in parts, because it is too long for the memory; each is made when the client has taken
 * those before. It counts as a download of the caller, unless it is short after all.
 */
export class LongResult {
  readonly parts: AsyncIterable<string> | readonly (string | Buffer)[]
  readonly isDownload: boolean
  constructor(parts: LongResult['parts'], { isDownload = true } = {}) {
    this.parts = parts
    this.isDownload = isDownload
  }
}

/**
 * Checks key, token and role before the body is read (401, 403), that JSON is not sent as a form (415), then
 * parameters, query and body (400). Sends the result under `value`, with the endpoint's status.
 */
export function mount<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.access === 'superAdmin' && { bodyLimit: bodyLimits.maxAdministratorBytes }),
    onRequest: (request, reply) => {
      startSpan(request, reply, app.deps.tracing)
      return inSpan(request, async () => {
        await admit(request, reply, endpoint, app.deps)
        if (!endpoint.multipart) await enterLine(request, reply, endpoint, app.deps)
      })
    },
    handler: (request, reply) => inSpan(request, () => handle(request, reply)),
  })

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (endpoint.body && request.isMultipart()) throw unsupportedMediaType(noticeMessages.wrongMediaType)
    const parts = endpoint.multipart && uploadParts(request, endpoint.multipart.file)
    const { viewer } = request
    const isDownload = endpoint.download === true && viewer !== null
    const onMade = isDownload ? beginDownload(personKey(viewer), reply, app.deps) : undefined
    try {
      const call = {
        ...parse(endpoint, request),
        parts,
        request,
        reply,
        disconnected: disconnectOf(request, reply),
        deps: depsOf(request, app.deps),
      } as Call<E>
      const result = await handler(call).finally(() => request.leaveLine?.())
      if (viewer !== null && (isDownload || result instanceof LongResult)) refuseEnded(request)
      if (result instanceof LongResult && result.isDownload && viewer !== null)
        beginDownload(personKey(viewer), reply, app.deps)()
      return send(endpoint, reply, result)
    } finally {
      onMade?.()
      if (parts !== undefined) {
        await parts.return(undefined)
        closeAfterRefusal(request, reply)
      }
    }
  }
}

/** Waits before the body is read: 3,200 waiting bodies of 120 kB made 600 MB. Throws 429. */
async function enterLine(
  request: FastifyRequest,
  reply: FastifyReply,
  { endsSessions }: Endpoint,
  { limits }: Deps,
): Promise<void> {
  const { viewer } = request
  if (viewer === null) return
  const waiting = { bytes: bodyBytes(request), aborted: disconnectOf(request, reply) }
  request.canBeCut = true
  const key = endsSessions && 'sessionId' in viewer ? `session ${viewer.sessionId}` : personKey(viewer)
  const leave = await limits.calls.enter(key, waiting)
  request.canBeCut = false
  request.leaveLine = leave
  if (reply.raw.closed) leave()
}

/**
 * The most memory that a body takes before it is read. In chunks of one byte, each is an object of its own,
 * and Node keeps 64 KiB of them: 20 MB, measured.
 */
function bodyBytes({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return callLimits.waitingBytes
  return Number(headers['content-length'] ?? 0)
}

const disconnects = new WeakMap<FastifyReply['raw'], AbortSignal>()

/** Also ends what is kept of a call that never reaches its handler: all need one listener. */
function disconnectOf(request: FastifyRequest, { raw }: FastifyReply): AbortSignal {
  const known = disconnects.get(raw)
  if (known !== undefined) return known
  const disconnect = new AbortController()
  whenClosed(raw, () => {
    if (!raw.writableFinished) disconnect.abort()
    request.leaveLine?.()
    request.server.callsInFlight.delete(request)
  })
  disconnects.set(raw, disconnect.signal)
  return disconnect.signal
}

/** A clerk's call, or a program's, sees the rows of its company only; writes ask for the authority again. */
function depsOf(request: FastifyRequest, deps: Deps): Deps {
  const { viewer } = request
  const db =
    viewer === null ? deps.db : viewOfCaller(deps.db, viewer.companyId, (trx) => holdAuthority(trx, viewer))
  return { ...deps, db, caller: callerOf(request) }
}

function callerOf(request: FastifyRequest): Caller {
  const { viewer } = request
  const isToken = viewer?.role === 'token'
  return {
    actor: viewer === null || isToken ? null : { id: viewer.userId, email: viewer.email },
    ...(isToken ? { token: viewer.name } : {}),
    companyId: viewer?.companyId ?? null,
    address: fullAddress(request),
  }
}

async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  deps: Deps,
): Promise<void> {
  checkApiKey(request, deps.env.apiKey)
  if (endpoint.access === 'public') return
  // Takes the call out of those in flight when its connection closes.
  disconnectOf(request, reply)
  const viewer = await authenticateAndFollow(request, deps)
  if (viewer.uploadStop !== null) reply.header(uploadStopHeader, encodeURIComponent(viewer.uploadStop))
  if (!mayCall(endpoint.access, viewer)) throw forbidden(reasonOfRefusal(viewer))
  if (viewer.role === 'token') await deps.limits.tokenCalls.take(personKey(viewer))
  if (endpoint.multipart) {
    await deps.limits.uploads.take(personKey(viewer))
    whenClosed(reply.raw, deps.limits.unfinishedUploads.enterNow(personKey(viewer)))
  }
  if (endpoint.download) await deps.limits.newDownloads.take(personKey(viewer))
}

const parse = (endpoint: Endpoint, request: FastifyRequest) => ({
  params: endpoint.params && parseParams(endpoint.params, request.params),
  query: endpoint.query && parseQuery(endpoint.query, request.query),
  body: endpoint.body && parseBody(endpoint.body, request.body),
  viewer: request.viewer,
})

function send(endpoint: Endpoint, reply: FastifyReply, result: unknown): FastifyReply {
  if (endpoint.download) return sendDownload(reply, result as Download)
  if (result instanceof LongResult) return sendLongResult(reply, result)
  return reply.status(endpoint.status ?? 200).send(envelopeOf(endpoint, result))
}

function envelopeOf({ says, reply }: Endpoint, result: unknown): Envelope<unknown> {
  if (result instanceof WithMessage) return result
  if (says === undefined) return { value: result }
  return reply === messageReply ? { value: { message: says } } : { value: result, successMessage: says }
}

function sendLongResult(reply: FastifyReply, { parts }: LongResult): FastifyReply {
  // Fastify would read all of it after the response to a HEAD.
  const text = reply.request.method === 'HEAD' ? [] : enveloped(parts)
  return reply.type('application/json; charset=utf-8').send(Readable.from(text))
}

async function* enveloped(parts: LongResult['parts']): AsyncGenerator<string | Buffer> {
  yield '{"value":'
  yield* parts
  yield '}'
}
