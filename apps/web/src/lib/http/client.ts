import { apiKeyHeader, uploadStopHeader } from '@veridict/contract/api/config'
import type { Endpoint, ReplyOf } from '@veridict/contract/api/endpoint'
import { refreshSession } from '@veridict/contract/api/session'
import { jsonOrNull } from '@veridict/contract/notation/json-or-null'
import type { z } from 'zod'
import { endSession } from '#lib/session/tab-channel.ts'
import { interruptVisit, tokenStore } from '#lib/session/token-store.ts'
import { createStore } from '#lib/store.ts'
import { announce, endsSession, noticeOfSuccess } from './announce.tsx'
import { whileBusy } from './busy-counter.ts'
import { CallFailure } from './call-failure.ts'
import { readConfig } from './config.ts'

type Input<S> = S extends z.ZodType ? z.input<S> : never
/** What a call sends, as the endpoint's schemas take it. */
export type CallInput<E extends Endpoint> = {
  params?: Input<E['params']>
  query?: Input<E['query']>
  body?: Input<E['body']>
  signal?: AbortSignal
  /** Whether it is not shown as a call in flight: the page makes it by itself again and again. */
  quiet?: true
}

/** Why nobody of the caller's company may upload at the moment; null: they may. */
export const uploadStop = createStore<string | null>(null)

/** `header`: that of a response, `uploadStopHeader`. Only a success without it says that uploads go on. */
export function noteUploadStop(header: string | null, isSuccess: boolean): void {
  if (header !== null) uploadStop.set(decodeURIComponent(header))
  else if (isSuccess) uploadStop.set(null)
}

/**
 * Shows the notice of a success; `announceFailure`, or the query client for queries and mutations, shows
 * those of failures. Throws a CallFailure unless the status is 200 to 299.
 */
export async function call<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<ReplyOf<E>> {
  const send = async () => valueOf(endpoint, jsonOf(await read(endpoint, input, (reply) => reply.text())))
  return (endpoint as Endpoint) === refreshSession || input.quiet ? send() : whileBusy(send)
}

/** The `value` of the body of a success, whose notice it shows. */
export function valueOf<E extends Endpoint>(_endpoint: E, body: unknown): ReplyOf<E> {
  const notice = noticeOfSuccess(body)
  if (notice !== null) announce(notice)
  return (body as { value: ReplyOf<E> }).value
}

/** Throws a CallFailure as `call` does. */
export function callForFile<E extends Endpoint>(endpoint: E, input: CallInput<E>) {
  const disposition = ({ headers }: Response) => headers.get('content-disposition')
  return whileBusy(() =>
    read(endpoint, input, async (reply) => ({ blob: await reply.blob(), disposition: disposition(reply) })),
  )
}

/** See docs/BEHAVIOUR.md#calls. */
export async function callHeaders(token: string | null): Promise<Record<string, string>> {
  const { apiKey } = await readConfig()
  return { [apiKeyHeader]: apiKey, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) }
}

/** A 401 ends the session that made the call, not one that replaced it meanwhile. Returns `failure`. */
export function endSessionOn401(failure: CallFailure, token: string | null): CallFailure {
  if (endsSession(failure) && token !== null && tokenStore.read()?.token === token) {
    interruptVisit()
    endSession()
  }
  return failure
}

/** A reply that breaks off is none: the CallFailure has no status. */
async function read<T>(
  endpoint: Endpoint,
  input: CallInput<Endpoint>,
  bodyOf: (reply: Response) => Promise<T>,
): Promise<T> {
  try {
    return await bodyOf(await request(endpoint, input))
  } catch (error) {
    if (input.signal?.aborted || error instanceof CallFailure) throw error
    throw new CallFailure(0, endpoint.path, null)
  }
}

async function request(endpoint: Endpoint, { params, query, body, signal }: CallInput<Endpoint>) {
  const token = tokenStore.read()?.token ?? null
  const headers = await callHeaders(token)
  const sent = body === undefined ? undefined : JSON.stringify(body)
  if (sent !== undefined) headers['Content-Type'] = 'application/json'
  const path = callPath(endpoint.path, params, query)
  const response = await fetch(path, { method: endpoint.method, headers, body: sent, signal })
  if (endpoint.access !== 'public') noteUploadStop(response.headers.get(uploadStopHeader), response.ok)
  if (response.ok) return response
  const told = await response.text().catch(() => '')
  throw endSessionOn401(new CallFailure(response.status, endpoint.path, jsonOrNull(told)), token)
}

/** Fills `:names` from `params` and appends `query` without undefined values; a list is repeated. */
export function callPath(
  path: string,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
  ).toString()
  return search === '' ? filled : `${filled}?${search}`
}

const jsonOf = (text: string): unknown => (text === '' ? null : JSON.parse(text))
