import { logLimits } from '@veridict/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerAddress } from '#platform/http/caller-address.ts'
import { inSpan } from '#platform/http/trace-calls.ts'

/** No or a bad session, a missing right, a foreign host, a limit: what an attack looks like (ASVS 16.3). */
const REFUSED: readonly number[] = [401, 403, 421, 429]

const MINUTE = 60_000

/**
 * One line for each call, refused ones with the caller's address. It has the route's pattern, and neither
 * query, body nor headers: searches and tokens are never logged. Of a flood of refusals most are only counted
 * (`logLimits`), in one line a minute.
 */
export function logRequests(app: FastifyInstance): void {
  const lines = createRefusalLines()
  const countMinute = () => {
    const calls = lines.nextMinute()
    if (calls > 0) app.log.warn({ calls }, 'more calls were refused in the last minute than are logged')
  }
  const timer = setInterval(countMinute, MINUTE).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    countMinute()
  })
  // The id that is in every line of the log about this call.
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  app.addHook('onResponse', async (request, reply) => inSpan(request, () => logCall(request, reply, lines)))
}

function logCall(request: FastifyRequest, reply: FastifyReply, lines: RefusalLines): void {
  const line = {
    method: request.method,
    path: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime),
    ...callerOf(request.viewer),
  }
  if (reply.statusCode >= 500) request.log.warn(line, 'call')
  else if (REFUSED.includes(reply.statusCode)) logRefusal(request, line, lines)
  else request.log.debug(line, 'call')
}

function logRefusal(request: FastifyRequest, line: object, lines: RefusalLines): void {
  const address = callerAddress(request)
  if (lines.add(address)) request.log.info({ ...line, address }, 'refused')
}

const callerOf = (viewer: FastifyRequest['viewer']) =>
  viewer?.role === 'token' ? { tokenId: viewer.tokenId } : { userId: viewer?.userId }

type RefusalLines = ReturnType<typeof createRefusalLines>

/** Decides which refused calls get a line of the log of their own. */
export function createRefusalLines() {
  let lines = 0
  let counted = 0
  const ofAddress = new Map<string, number>()
  return {
    /** Counts a refused call of an address; false if it is only counted. */
    add(address: string): boolean {
      const own = ofAddress.get(address) ?? 0
      if (own >= logLimits.refusalsPerAddress || lines >= logLimits.refusals) {
        counted++
        return false
      }
      ofAddress.set(address, own + 1)
      lines++
      return true
    },
    /** Begins the next minute. Returns how many calls of the last one were only counted. */
    nextMinute(): number {
      const last = counted
      lines = 0
      counted = 0
      ofAddress.clear()
      return last
    },
  }
}
