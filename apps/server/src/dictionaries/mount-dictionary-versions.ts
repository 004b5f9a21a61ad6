import * as endpoints from '@veridict/contract/api/dictionary-versions'
import type { FastifyInstance } from 'fastify'
import { mount } from '#platform/http/mount.ts'
import { presentVersion, presentVersionItem } from '#dictionaries/present-dictionary-version.ts'
import { presentPage } from '#platform/page.ts'
import { listVersions, readVersion } from '#dictionaries/read-versions.ts'

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
