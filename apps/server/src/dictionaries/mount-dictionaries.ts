import * as answerEndpoints from '@veridict/contract/api/answers'
import * as endpoints from '@veridict/contract/api/dictionaries'
import * as versionEndpoints from '@veridict/contract/api/dictionary-versions'
import { fieldToBody } from '@veridict/contract/api/wire-field'
import { changeSentence } from '@veridict/contract/messages/dictionary-changes'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import type { DictionaryChange } from '@veridict/contract/model/dictionary-change'
import type { Dictionary, Field } from '@veridict/contract/model/field'
import { emptyRuleBook, type RuleBook } from '@veridict/contract/model/row-rule'
import { utcDay } from '@veridict/contract/notation/utc-day'
import { writeDictionary, writeTableSchema } from '@veridict/engine'
import { nodePlatform } from '@veridict/engine-node'
import { changes, onlyAfter, recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { allProblems, askValidator, checkFields } from '#dictionaries/check-fields.ts'
import { findCompaniesOf, isCompanyDictionary } from '#dictionaries/company-dictionaries.ts'
import {
  type DictionarySummary,
  findDictionaries,
  findVersionFields,
  findVersionOf,
  findVersionOfSubmission,
  findVersions,
  findWholeVersion,
  lockDictionary,
  lockDictionaryForShare,
  markDictionaryDeleted,
  readDictionary,
  type VersionSummary,
  type WholeVersion,
} from '#dictionaries/dictionaries.ts'
import { actorId, changeDictionary, createDictionary, renameDraft } from '#dictionaries/dictionary-drafts.ts'
import { copyFields, insertFields } from '#dictionaries/fields.ts'
import { openTemplate } from '#dictionaries/open-template.ts'
import { presentFields } from '#dictionaries/present-field.ts'
import { proposeDictionary } from '#dictionaries/propose-dictionary.ts'
import { findAnswers, forgetAnswer, rememberAnswer } from '#dictionaries/remembered-answers.ts'
import { checkRequest, copyRuleBook, hasParts, storeRuleBook } from '#dictionaries/rule-books.ts'
import { found } from '#errors.ts'
import { type CompanyViewer, personKey, scopeOf } from '#platform/access/viewer.ts'
import { countDictionaryUses } from '#platform/database/deletion-counts.ts'
import { entryOf } from '#platform/database/shared-reads.ts'
import type { Db } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { dictionaryEtag, refuseStale } from '#platform/etags.ts'
import { fileDownload, WORKBOOK } from '#platform/http/download.ts'
import { LongResult, mountCalls } from '#platform/http/mount.ts'
import { parseBody } from '#platform/http/parse-call.ts'
import { whenClosed } from '#platform/http/when-closed.ts'
import { readPage } from '#platform/page.ts'
import { type AcceptedFiles, receiveUpload, takeWhole } from '#platform/storage/receive-upload.ts'

const calls = { ...endpoints, ...versionEndpoints, ...answerEndpoints }

const workbooks: AcceptedFiles<'xlsx'> = {
  kindOf: (fileName) => (/\.xlsx$/i.test(fileName) ? 'xlsx' : null),
  wrongType: dictionaryMessages.importWrongType,
}

/** A name that is taken is refused with 409. */
export const mountDictionaries = mountCalls(calls, {
  listDictionaries: ({ query, deps: { db } }) => readPage(findDictionaries(db, query), presentItem, query),

  /** 400 with every problem of the fields, each naming its field, or else of the rules, by their places. */
  async createDictionary({ body: { name, items = [], ...rules }, deps }) {
    const fields = await checkFields(items, deps)
    const ruleBook = hasParts(rules) ? await checkRequest(rules, emptyRuleBook, fields, deps) : emptyRuleBook
    return createWhole({ name, fields, ruleBook, change: { kind: 'created' } }, deps)
  },

  /** What is proposed has the shape of a request, so that the page can send it back unchanged. */
  async proposeDictionary({ parts, viewer, reply, deps, disconnected }) {
    whenClosed(reply.raw, deps.limits.samples.enterNow(personKey(viewer)))
    const { fields, ruleBook, ...rest } = await proposeDictionary(parts, deps, disconnected)
    const proposed = fields.map((field) => ({ ...fieldToBody(field), reason: field.reason }))
    return { ...rest, fields: proposed, ...ruleBook }
  },

  async readDictionary({ params: { id }, deps: { db } }) {
    const dictionary = await readDictionary(db, id)
    return {
      id,
      name: dictionary.name,
      lastUpdated: dictionary.updatedAt.toISOString(),
      updatedBy: dictionary.editorName,
      companies: await findCompaniesOf(db, id),
      version: dictionaryEtag(dictionary),
    }
  },

  async readForChecking({ params: { id }, query: { submission }, viewer, request, deps }) {
    const { name, versionId, now } =
      submission === undefined
        ? await findPresent(id, viewer, deps)
        : await findAsUploaded(id, submission, viewer, deps)
    const version = await jsonOfVersion(versionId, request.server.deps.db, deps)
    const head: Omit<endpoints.DictionaryForChecking, keyof PartOfVersion> = {
      id,
      name,
      currentYear: now.getFullYear(),
      today: utcDay(now),
    }
    const json = [`${JSON.stringify(head).slice(0, -1)},`, version.subarray(1)]
    return new LongResult(json, { isDownload: version.byteLength > SHORT_DICTIONARY })
  },

  /** 409 also when it was renamed since the ETag `version` was read. */
  renameDictionary: ({ query: { id }, body: { name, version: etag }, deps }) =>
    changeDictionary(deps, id, async (draft) => {
      refuseStale(etag, dictionaryEtag(draft))
      await renameDraft(draft, name)
      const result = { id }
      if (name === draft.name) return { change: null, result }
      const detail = changes({ name: draft.name }, { name })
      await recordAudit({ action: 'dictionary.updated', subject: draft.name, detail }, draft.trx, deps)
      return { change: { kind: 'renamed', from: draft.name }, result }
    }),

  /** Removes it from its companies; history and reports still use its versions. */
  deleteDictionary: ({ params: { id }, deps }) =>
    inTransaction(deps.db, async (trx) => {
      const { name: subject } = await lockDictionary(trx, id)
      await markDictionaryDeleted(trx, id, actorId(deps))
      await recordAudit({ action: 'dictionary.deleted', subject }, trx, deps)
    }),

  async previewDictionaryDeletion({ params: { id }, deps: { db } }) {
    await readDictionary(db, id)
    return countDictionaryUses(db, id)
  },

  copyDictionary: ({ params, body: { name }, deps }) =>
    inTransaction(deps.db, async (trx) => {
      const original = await lockDictionaryForShare(trx, params.id)
      const change = { kind: 'copied', from: original.name } as const
      const id = await createDictionary(trx, name, actorId(deps), change, async (draft) => {
        await copyFields(draft, params.id)
        await copyRuleBook(draft, params.id)
      })
      const detail = onlyAfter({ name, copyOf: original.name })
      await recordAudit({ action: 'dictionary.created', subject: name, detail }, trx, deps)
      return { id }
    }),

  /** 400 with every problem of the workbook, each naming its cell, and 503 when it could not be read. */
  async importDictionary({ parts, deps }) {
    const { file, fields: form } = await receiveUpload(parts, workbooks, takeWhole)
    const { fileName } = file
    const { name } = parseBody(endpoints.importDictionary.multipart.fields, form)
    const workbook = { fileName, bytes: file.taken.whole }
    // In another process: regular expressions in a megabyte can take seconds to compile.
    const read = await askValidator(() => deps.validator.run('readDictionary', workbook), deps)
    if (read.kind === 'problems') throw allProblems(read.problems)
    const change = { kind: 'imported', fileName } as const
    return createWhole({ name, fields: read.fields, ruleBook: read.ruleBook, change }, deps)
  },

  async exportDictionary({ params: { id }, deps: { db } }) {
    const dictionary = await readWholeDictionary(id, db)
    const chunks = await Array.fromAsync(writeDictionary(dictionary, nodePlatform()))
    return { fileName: `${dictionary.name}.xlsx`, mediaType: WORKBOOK, content: Buffer.concat(chunks) }
  },

  downloadTemplate: async ({ params: { id }, viewer, deps }) =>
    fileDownload(await openTemplate(id, viewer, deps)),

  async exportTableSchema({ params: { id }, deps: { db } }) {
    const dictionary = await readWholeDictionary(id, db)
    const content = Buffer.from(await writeTableSchema(dictionary))
    return { fileName: `${dictionary.name}.schema.json`, mediaType: 'application/json', content }
  },

  async listVersions({ params: { id }, query, deps: { db } }) {
    await readDictionary(db, id)
    return readPage(findVersions(db, id, query), presentVersionItem, query)
  },

  async readVersion({ params: { id, revision }, deps: { db } }) {
    await readDictionary(db, id)
    const version = await found(findVersionOf(db, id, revision), 'Version')
    return { ...presentVersionItem(version), fields: presentFields(await findVersionFields(db, version.id)) }
  },

  async listAnswers({ params: { id }, viewer: { companyId }, deps: { db } }) {
    await found(isCompanyDictionary(db, companyId, id), 'Data dictionary')
    return findAnswers(db, companyId, id)
  },

  rememberAnswer: ({ params: { id }, body, viewer, deps }) => rememberAnswer(id, body, viewer, deps),

  forgetAnswer: ({ params: { id, answerId }, viewer, deps }) => forgetAnswer(id, answerId, viewer, deps),
})

const presentItem = (dictionary: DictionarySummary): endpoints.DictionaryItem => ({
  id: dictionary.id,
  dataDictionaryName: dictionary.name,
  fieldsCount: dictionary.fieldCount,
  lastUpdated: dictionary.updatedAt.toISOString(),
})

const presentVersionItem = (version: VersionSummary): versionEndpoints.VersionItem => ({
  revision: version.revision,
  name: version.name,
  changedAt: version.changedAt.toISOString(),
  changedBy: version.changedBy,
  change: changeSentence(version.change, version.fieldCount),
  fieldCount: version.fieldCount,
})

/** A new dictionary whose fields and rules are already checked. */
type NewDictionary = { name: string; fields: readonly Field[]; ruleBook: RuleBook; change: DictionaryChange }

/** Makes a dictionary, whole or not at all. */
const createWhole = (
  { name, fields, ruleBook, change }: NewDictionary,
  deps: Pick<Deps, 'db' | 'caller'>,
): Promise<{ id: number }> =>
  inTransaction(deps.db, async (trx) => {
    const id = await createDictionary(trx, name, actorId(deps), change, async (draft) => {
      await insertFields(draft, fields)
      await storeRuleBook(draft, ruleBook)
    })
    const importedFrom = change.kind === 'imported' ? change.fileName : null
    const [fieldNames, ruleNames] = [fields, ruleBook.rules].map((named) => named.map((one) => one.name))
    const rules = ruleNames.length > 0 ? ruleNames : null
    const detail = onlyAfter({ name, importedFrom, fields: fieldNames, rules })
    await recordAudit({ action: 'dictionary.created', subject: name, detail }, trx, deps)
    return { id }
  })

async function readWholeDictionary(id: number, db: Db): Promise<Dictionary> {
  const { versionId } = await readDictionary(db, id)
  const { name, fields, ruleBook } = await findWholeVersion(db, versionId)
  return { name, fields, ...ruleBook }
}

/** A dictionary that the viewer may upload against. The clock is the server's, as in validation. */
async function findPresent(id: number, viewer: CompanyViewer, { db, clock }: Pick<Deps, 'db' | 'clock'>) {
  await found(isCompanyDictionary(db, viewer.companyId, id), 'Data dictionary')
  const { name, versionId } = await readDictionary(db, id)
  return { name, versionId, now: clock.now() }
}

/** A dictionary as it was for a submission that the viewer may see. */
const findAsUploaded = (
  id: number,
  submission: number,
  viewer: CompanyViewer,
  { db, env }: Pick<Deps, 'db' | 'env'>,
) => found(findVersionOfSubmission(db, scopeOf(viewer, env.historyScope), submission, id), 'Data dictionary')

/** Bytes of a dictionary that does not count as a download. */
const SHORT_DICTIONARY = 256 * 1024

type PartOfVersion = Pick<endpoints.DictionaryForChecking, 'fields' | keyof RuleBook>

/** JSON as the bytes that are sent: all clients at once share them, also those that read slowly. */
const jsons = new WeakMap<WholeVersion, Buffer>()

/** What the check in the browser needs of a version. `shared`: the database of all calls. */
async function jsonOfVersion(id: number, shared: Db, { db }: Pick<Deps, 'db'>): Promise<Buffer> {
  const version = await findWholeVersion(db, id, shared)
  return entryOf(jsons, version, () => {
    const part: PartOfVersion = { fields: presentFields(version.fields), ...version.ruleBook }
    return Buffer.from(JSON.stringify(part))
  })
}
