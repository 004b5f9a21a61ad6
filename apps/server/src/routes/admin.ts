import { readCounts } from '@veridict/contract/api/admin'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { countTotals } from '#services/operations/counts.ts'

export function mountAdmin(app: FastifyInstance): void {
  mount(app, readCounts, async ({ deps }) => {
    const { dictionaries, companies } = await countTotals(deps)
    return { totalDataDictionaries: dictionaries, totalCompanies: companies }
  })
}
