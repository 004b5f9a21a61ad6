import * as endpoints from '@veridict/contract/api/dictionary-versions'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { presentVersion, presentVersionItem } from '#presenters/dictionary-version.ts'
import { presentPage } from '#presenters/page.ts'
import { listVersions, readVersion } from '#services/dictionaries/read-versions.ts'

/** Who changed what when. */
export function mountDictionaryVersions(app: FastifyInstance): void {
  mount(app, endpoints.listVersions, async ({ params, query, deps }) => {
    const { versions, totalCount } = await listVersions(params.id, query, deps)
    return presentPage(versions.map(presentVersionItem), totalCount, query)
  })

  mount(app, endpoints.readVersion, async ({ params, deps }) => {
    const { version, fields } = await readVersion(params.id, params.revision, deps)
    return presentVersion(version, fields)
  })
}
