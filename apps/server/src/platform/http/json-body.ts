import { finished } from 'node:stream'
import { promisify } from 'node:util'
import { bodyLimits } from '@veridict/contract/limits'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { addressOwner } from '#platform/admission/address-owner.ts'
import { badRequest } from '#errors.ts'
import { callerAddress } from '#platform/http/caller-address.ts'

/**
 * Bodies are JSON, uploads, or a form for `mount-single-sign-on.ts`, else 415. An empty one is none: some
 * clients send only a content type. Fastify's parser refuses keys that change prototypes; deeper nesting than
 * ours is refused, because whoever copies or compares it would run out of stack.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = promisify(app.getDefaultJsonParser('error', 'error'))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const text = await readBody(request)
    if (text.trim() === '') return undefined
    const body = await parse(request, text)
    if (isDeeperThan(bodyLimits.maxDepth, body)) throw badRequest(noticeMessages.bodyUnreadable)
    return body
  })
}

const isDeeperThan = (depth: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((part) => isDeeperThan(depth - 1, part)))

/**
 * Throws 413 beyond the route's limit, 400 if the client leaves, and 429 for a large body without an account
 * while too many are read (`bodyLimits`): logins have less than a kilobyte, so a flood keeps nobody out.
 * People with an account have limits of their own (`platform/http/mount.ts`). Not Fastify's: it keeps each
 * part as an object. 64 unfinished bodies of 100 kB in chunks of one byte held 900 MB.
 */
export async function readBody(request: FastifyRequest): Promise<string> {
  const { raw, headers, routeOptions, viewer } = request
  const limit = routeOptions.bodyLimit ?? bodyLimits.maxBytes
  if (Number(headers['content-length'] ?? 0) > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const bytes = createByteList()
  let isCounted = viewer !== null
  const onData = (part: Buffer) => {
    try {
      const length = bytes.length() + part.length
      if (length > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
      if (length > bodyLimits.maxSmallBytes && !isCounted) {
        const { largeBodies } = request.server.deps.limits
        finished(raw, { writable: false }, largeBodies.enterNow(addressOwner(callerAddress(request))))
        isCounted = true
      }
      bytes.add(part)
    } catch (error) {
      // Not paused: the rest, which may come in many parts, would be kept.
      raw.off('data', onData)
      reject(error)
    }
  }
  raw.on('data', onData)
  // Without effect after a refusal.
  finished(raw, { writable: false }, (error) => {
    if (error) reject(badRequest(noticeMessages.bodyUnreadable))
    else resolve(bytes.text())
  })
  return promise
}

/** Copies bytes to one place, which grows. */
function createByteList() {
  let place = Buffer.alloc(1024)
  let length = 0
  return {
    length: () => length,
    add(part: Buffer) {
      if (length + part.length > place.length) {
        const larger = Buffer.alloc(Math.max(length + part.length, 2 * place.length))
        place.copy(larger, 0, 0, length)
        place = larger
      }
      length += part.copy(place, length)
    },
    text: () => place.toString('utf8', 0, length),
  }
}
