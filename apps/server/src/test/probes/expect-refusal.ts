import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

/** Expects one of the statuses, and a text without stack traces, statements and paths of our files. */
export function expectRefusal(reply: LightMyRequestResponse, statuses: readonly number[], what: string) {
  expect(statuses, `${what}: ${reply.statusCode} ${reply.body.slice(0, 200)}`).toContain(reply.statusCode)
  expect(reply.body, what).not.toMatch(
    /\bat .+:\d+:\d+|node_modules|\bselect \S+ from|insert into|apps\/server/i,
  )
}
