import * as endpoints from '@veridict/contract/api/impacts'
import { impactMessages } from '@veridict/contract/messages/impacts'
import type { FastifyInstance } from 'fastify'
import { announceRule } from '#impacts/announce-rule.ts'
import { beginImpact, readImpact } from '#impacts/read-impact.ts'
import { mount, withMessage } from '#platform/http/mount.ts'

export function mountImpacts(app: FastifyInstance): void {
  mount(app, endpoints.tryImpact, async ({ params, body, deps }) => ({
    id: await beginImpact(params.id, body, deps),
  }))

  mount(app, endpoints.readImpact, ({ params, deps }) => readImpact(params, deps))

  mount(app, endpoints.announceRule, async ({ params, body, viewer, deps }) => {
    const announced = await announceRule(params, body, viewer.userId, deps)
    return withMessage(announced, impactMessages.announced(announced.mails))
  })
}
