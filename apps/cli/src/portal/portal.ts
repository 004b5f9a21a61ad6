import { setTimeout as sleep } from 'node:timers/promises'
import { apiKeyHeader, configPath, type WebConfig } from '@veridict/contract/api/config'
import type { Endpoint, ReplyOf, ErrorBody } from '@veridict/contract/api/endpoint'
import { replyLimits } from '@veridict/contract/limits'
import { jsonOrNull } from '@veridict/contract/notation/json-or-null'
import { NotAllowedError, PortalError, UnreachableError, UsageError } from '#exit-code.ts'
import { printable } from '#print/print.ts'

/** A portal, with the headers that identify the caller in each call. */
export type Portal = { url: string; headers: Readonly<Record<string, string>> }

export type Reply = { status: number; retryAfter: string | null; body: string }

const TIMEOUT_MILLISECONDS = 30_000

/** Reads the portal's API key. `token`: a token of a company. */
export async function openPortal(address: string, token: string): Promise<Portal> {
  const url = portalAddress(address)
  const reply = await get({ url, headers: {} }, configPath)
  const config = jsonOrNull(reply.body) as Partial<WebConfig> | null
  if (reply.status !== 200 || typeof config?.apiKey !== 'string')
    throw new PortalError(`${url} is not a portal: ${configPath} has no API key (status ${reply.status}).`)
  return { url, headers: { [apiKeyHeader]: config.apiKey, authorization: `Bearer ${token}` } }
}

function portalAddress(address: string): string {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search !== '')
    throw new UsageError(`--url ${address} is not the address of a portal.`)
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/**
 * Throws PortalError for a refusal or an unreadable reply, NotAllowedError if the token does not reach the
 * call, UnreachableError after a failure.
 */
export async function callPortal<E extends Endpoint>(
  portal: Portal,
  endpoint: E,
  params: Readonly<Record<string, number>> = {},
): Promise<ReplyOf<E>> {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => String(params[name]))
  const reply = await retryWhileBusy(() => get(portal, path))
  if (reply.status >= 500) throw new UnreachableError(refusalOf(reply))
  if (reply.status === 403) throw new NotAllowedError(refusalOf(reply))
  if (reply.status !== 200) throw new PortalError(refusalOf(reply))
  return valueOf(endpoint, reply)
}

export function valueOf<E extends Endpoint>(endpoint: E, { body }: Reply): ReplyOf<E> {
  const { value } = (jsonOrNull(body) ?? {}) as { value?: unknown }
  const parsed = endpoint.reply?.safeParse(value)
  if (!parsed?.success) throw new PortalError(`The reply of the portal to ${endpoint.path} cannot be read.`)
  return parsed.data as ReplyOf<E>
}

/** Redirects are not followed: the token is for this portal only. */
async function get({ url, headers }: Portal, path: string): Promise<Reply> {
  try {
    const response = await fetch(url + path, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    })
    const location = response.headers.get('location')
    if (location !== null) throw new PortalError(`${url} leads to ${printable(location)}: use that address.`)
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await readReply(response.body),
    }
  } catch (error) {
    if (error instanceof PortalError) throw error
    throw new UnreachableError(`${url} cannot be reached: ${reasonOf(error as Error)}.`, { cause: error })
  }
}

/** The reason of a network error. After attempts at several addresses it has only a code. */
export function reasonOf(error: Error): string {
  const { message, code } = (error.cause instanceof Error ? error.cause : error) as NodeJS.ErrnoException
  return message || code || 'it failed'
}

const MAX_ATTEMPTS = 6
const MAX_WAIT_SECONDS = 60

/**
 * Repeats the call on 429 or 503 with a `Retry-After` of at most a minute, a few times. Without that header
 * the portal may have done the call before it failed.
 */
export async function retryWhileBusy(call: () => Promise<Reply>): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    const reply = await call()
    const seconds = Number(reply.retryAfter ?? Number.NaN)
    const isBusy = reply.status === 429 || reply.status === 503
    if (!isBusy || !(seconds >= 0 && seconds <= MAX_WAIT_SECONDS) || attempt === MAX_ATTEMPTS) return reply
    process.stderr.write(`The portal is busy (${reply.status}): waiting ${Math.ceil(seconds)} s.\n`)
    await sleep(seconds * 1000)
  }
}

export function refusalOf({ status, body }: Reply): string {
  const parsed = jsonOrNull(body) as ErrorBody | null
  const sentences = Object.values(parsed?.errors ?? {}).flat()
  const message = parsed?.message ?? (sentences.length > 0 ? sentences.join(' ') : null)
  const text = message === null ? `It replied with status ${status}.` : printable(String(message))
  switch (status) {
    case 401:
      return `The portal refused the token in VERIDICT_TOKEN: ${text}`
    case 403:
      return `The token in VERIDICT_TOKEN does not allow this: ${text}`
    default:
      return `The portal ${status >= 500 ? 'failed' : 'refused'}: ${text}`
  }
}

/** The text of a reply, decompressed already. Throws PortalError if it is too long; no more is read then. */
export async function readReply(parts: AsyncIterable<Uint8Array> | null): Promise<string> {
  const read: Uint8Array[] = []
  let bytes = 0
  for await (const part of parts ?? []) {
    bytes += part.length
    if (bytes > replyLimits.maxBytes)
      throw new PortalError(`its reply has more than ${replyLimits.maxBytes / 2 ** 20} MB`)
    read.push(part)
  }
  return Buffer.concat(read).toString()
}
