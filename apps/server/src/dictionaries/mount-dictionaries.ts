import * as answerEndpoints from '@veridict/contract/api/answers'
import * as endpoints from '@veridict/contract/api/dictionaries'
import * as versionEndpoints from '@veridict/contract/api/dictionary-versions'
import * as fieldEndpoints from '@veridict/contract/api/fields'
import * as ruleBookEndpoints from '@veridict/contract/api/rule-book'
import { rowRuleMessages } from '@veridict/contract/messages/row-rules'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import type { FastifyInstance } from 'fastify'
import {
  copyDictionary,
  createDictionary,
  deleteDictionary,
  renameDictionary,
} from '#dictionaries/change-dictionary.ts'
import { createField, deleteField, reorderFields, updateField } from '#dictionaries/change-field.ts'
import { findWholeVersion } from '#dictionaries/dictionaries.ts'
import { mountDictionaryFiles } from '#dictionaries/mount-dictionary-files.ts'
import {
  forCheckingJson,
  listDictionaries,
  listFields,
  listVersions,
  presentDictionary,
  presentField,
  presentVersion,
  previewDictionaryDeletion,
  readField,
  readForChecking,
  readVersion,
} from '#dictionaries/read-dictionaries.ts'
import { forgetAnswer, listAnswers, rememberAnswer } from '#dictionaries/remembered-answers.ts'
import { createRecentValues } from '#platform/database/recent-values.ts'
import { readRuleBook, readRuleFailures, saveRuleBook, tryRow } from '#dictionaries/rule-books.ts'
import { ruleBookEtag } from '#platform/etags.ts'
import { LongResult, mount, withMessage } from '#platform/http/mount.ts'

const KIB = 1024
/** The largest dictionary that can be imported has 5 MB; most have some kilobytes. */
const MAX_CACHED_BYTES = 32 * 1024 * KIB
/** Bytes of a dictionary that does not count as a download. */
const SHORT_DICTIONARY = 256 * KIB

export function mountDictionaries(app: FastifyInstance): void {
  /** JSON as the bytes that are sent: all clients at once share them, also those that read slowly. */
  const versions = createRecentValues<Buffer>(MAX_CACHED_BYTES, ({ byteLength }) => byteLength)
  mountDictionaryFiles(app)
  mountFields(app)
  mountRuleBooks(app)
  mountAnswers(app)

  mount(app, endpoints.listDictionaries, ({ query, deps }) => listDictionaries(query, deps))

  mount(app, endpoints.createDictionary, async ({ body, deps }) => ({
    id: await createDictionary(body, deps),
  }))

  mount(app, endpoints.readDictionary, ({ params, deps }) => presentDictionary(params.id, deps))

  mount(app, endpoints.readForChecking, async ({ params, query, viewer, deps }) => {
    const dictionary = await readForChecking(params.id, query.submission, viewer, deps)
    const version = await versions(dictionary.versionId, async () => {
      const whole = await findWholeVersion(deps.db, dictionary.versionId)
      return Buffer.from(JSON.stringify(presentVersion(whole)))
    })
    const isDownload = version.byteLength > SHORT_DICTIONARY
    return new LongResult(forCheckingJson(dictionary, version), { isDownload })
  })

  mount(app, endpoints.renameDictionary, async ({ query, body, deps }) => {
    await renameDictionary(query.id, body, deps)
    return { id: query.id }
  })

  mount(app, endpoints.deleteDictionary, ({ params, deps }) => deleteDictionary(params.id, deps))

  mount(app, endpoints.previewDictionaryDeletion, ({ params, deps }) =>
    previewDictionaryDeletion(params.id, deps),
  )

  mount(app, endpoints.copyDictionary, async ({ params, body, deps }) => ({
    id: await copyDictionary(params.id, body.name, deps),
  }))

  mount(app, versionEndpoints.listVersions, ({ params, query, deps }) => listVersions(params.id, query, deps))

  mount(app, versionEndpoints.readVersion, ({ params, deps }) =>
    readVersion(params.id, params.revision, deps),
  )
}

function mountFields(app: FastifyInstance): void {
  mount(app, fieldEndpoints.listFields, ({ params, query, deps }) => listFields(params.id, query, deps))

  mount(app, fieldEndpoints.createField, async ({ body, deps }) => ({
    id: await createField(body.dataDictionaryId, body, deps),
  }))

  mount(app, fieldEndpoints.readField, async ({ params, deps }) =>
    presentField(await readField(params.id, deps)),
  )

  mount(app, fieldEndpoints.updateField, async ({ params, body, deps }) =>
    presentField(await updateField(params.id, body, deps)),
  )

  mount(app, fieldEndpoints.deleteField, ({ params, deps }) => deleteField(params.id, params.itemId, deps))

  mount(app, fieldEndpoints.reorderFields, ({ params, body, deps }) => reorderFields(params.id, body, deps))
}

function mountRuleBooks(app: FastifyInstance): void {
  const present = (book: RuleBook) => ({ ...book, version: ruleBookEtag(book) })

  mount(app, ruleBookEndpoints.readRuleBook, async ({ params, deps }) =>
    present(await readRuleBook(params.id, deps)),
  )

  mount(app, ruleBookEndpoints.saveRuleBook, async ({ params, body, deps }) =>
    withMessage(present(await saveRuleBook(params.id, body, deps)), rowRuleMessages.saved),
  )

  mount(app, ruleBookEndpoints.readRuleFailures, ({ params, deps }) => readRuleFailures(params.id, deps))

  mount(app, ruleBookEndpoints.tryRow, ({ params, body, deps }) => tryRow(params.id, body, deps))
}

function mountAnswers(app: FastifyInstance): void {
  mount(app, answerEndpoints.listAnswers, ({ params, viewer, deps }) => listAnswers(params.id, viewer, deps))

  mount(app, answerEndpoints.rememberAnswer, ({ params, body, viewer, deps }) =>
    rememberAnswer(params.id, body, viewer, deps),
  )

  mount(app, answerEndpoints.forgetAnswer, ({ params, viewer, deps }) =>
    forgetAnswer(params.id, params.answerId, viewer, deps),
  )
}
