import * as endpoints from '@veridict/contract/api/dictionaries'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import type { FastifyInstance } from 'fastify'
import { createCachedJson } from '#platform/http/cached-json.ts'
import { LongResult, mount, withMessage } from '#platform/http/mount.ts'
import {
  forCheckingJson,
  presentDictionary,
  presentDictionaryItem,
} from '#dictionaries/present-dictionary.ts'
import { presentFields } from '#dictionaries/present-field.ts'
import { presentPage } from '#platform/page.ts'
import { mountDictionaryFiles } from '#dictionaries/mount-dictionary-files.ts'
import { mountDictionaryVersions } from '#dictionaries/mount-dictionary-versions.ts'
import { copyDictionary } from '#dictionaries/copy-dictionary.ts'
import { createDictionary } from '#dictionaries/create-dictionary.ts'
import { deleteDictionary } from '#dictionaries/delete-dictionary.ts'
import {
  listDictionaries,
  previewDictionaryDeletion,
  readDictionary,
} from '#dictionaries/read-dictionaries.ts'
import { readForChecking } from '#dictionaries/read-for-checking.ts'
import { renameDictionary } from '#dictionaries/rename-dictionary.ts'

const KIB = 1024
/** Bytes of a dictionary that does not count as a download. */
const SHORT_DICTIONARY = 256 * KIB

export function mountDictionaries(app: FastifyInstance): void {
  const fieldsOfVersions = createCachedJson()
  mountDictionaryFiles(app)
  mountDictionaryVersions(app)

  mount(app, endpoints.listDictionaries, async ({ query, deps }) => {
    const { dictionaries, totalCount } = await listDictionaries(query, deps)
    return presentPage(dictionaries.map(presentDictionaryItem), totalCount, query)
  })

  mount(app, endpoints.createDictionary, async ({ body, viewer, deps }) => {
    const id = await createDictionary(body, viewer.userId, deps)
    return withMessage({ id }, dictionaryMessages.created)
  })

  mount(app, endpoints.readDictionary, async ({ params, deps }) =>
    presentDictionary(await readDictionary(params.id, deps)),
  )

  mount(app, endpoints.readForChecking, async ({ params, viewer, deps }) => {
    const dictionary = await readForChecking(params.id, viewer, deps)
    const fields = await fieldsOfVersions(dictionary.versionId, async () =>
      presentFields(await dictionary.fields()),
    )
    const isDownload = fields.byteLength > SHORT_DICTIONARY
    return new LongResult(forCheckingJson(dictionary, fields), { isDownload })
  })

  mount(app, endpoints.renameDictionary, async ({ query, body, viewer, deps }) => {
    await renameDictionary(query.id, body, viewer.userId, deps)
    return withMessage({ id: query.id }, dictionaryMessages.saved)
  })

  mount(app, endpoints.deleteDictionary, async ({ params, viewer, deps }) => {
    await deleteDictionary(params.id, viewer.userId, deps)
    return { message: dictionaryMessages.deleted }
  })

  mount(app, endpoints.previewDictionaryDeletion, ({ params, deps }) =>
    previewDictionaryDeletion(params.id, deps),
  )

  mount(app, endpoints.copyDictionary, async ({ params, body, viewer, deps }) => {
    const id = await copyDictionary(params.id, body.name, viewer.userId, deps)
    return withMessage({ id }, dictionaryMessages.created)
  })
}
