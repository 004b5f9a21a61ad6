import type * as endpoints from '@veridict/contract/api/dictionaries'
import type { readVersion as versionEndpoint, VersionItem } from '@veridict/contract/api/dictionary-versions'
import type { ReplyOf, Page, Paging } from '@veridict/contract/api/endpoint'
import type { FieldDetail, FieldItem } from '@veridict/contract/api/fields'
import { fieldToWire } from '@veridict/contract/api/wire-field'
import { changeSentence } from '@veridict/contract/messages/dictionary-changes'
import type { Dictionary, Field } from '@veridict/contract/model/field'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { utcDay } from '@veridict/contract/notation/utc-day'
import type { Deps } from '#deps.ts'
import { findCompaniesOf, isCompanyDictionary } from '#dictionaries/company-dictionaries.ts'
import {
  countDictionaries,
  type DictionaryDetail,
  type DictionarySummary,
  findDictionaries,
  findDictionary,
  countVersions,
  findPresentVersionId,
  findVersionFields,
  findVersionOf,
  findVersionOfSubmission,
  findVersions,
  findWholeVersion,
  type VersionSummary,
  type WholeVersion,
} from '#dictionaries/dictionaries.ts'
import { countFields, findField, findFields, type StoredField } from '#dictionaries/fields.ts'
import { found } from '#errors.ts'
import { type CompanyViewer, scopeOf } from '#platform/access/viewer.ts'
import { countDictionaryUses } from '#platform/database/deletion-counts.ts'
import { dictionaryEtag, fieldEtag } from '#platform/etags.ts'
import { readPage } from '#platform/page.ts'

type ReadDeps = Pick<Deps, 'db'>

export const listDictionaries = (
  paging: Paging,
  { db }: ReadDeps,
): Promise<Page<endpoints.DictionaryItem>> => {
  const count = countDictionaries(db, paging.SearchText)
  return readPage(findDictionaries(db, paging), count, presentDictionaryItem, paging)
}

const presentDictionaryItem = (dictionary: DictionarySummary): endpoints.DictionaryItem => ({
  id: dictionary.id,
  dataDictionaryName: dictionary.name,
  fieldsCount: dictionary.fieldCount,
  lastUpdated: dictionary.updatedAt.toISOString(),
})

/** Throws 404 when there is no such dictionary. */
export const readDictionary = (id: number, { db }: ReadDeps): Promise<DictionaryDetail> =>
  found(findDictionary(db, id), 'Data dictionary')

/** With the companies that use it. Throws 404 when there is no such dictionary. */
export async function presentDictionary(
  id: number,
  deps: ReadDeps,
): Promise<ReplyOf<typeof endpoints.readDictionary>> {
  const dictionary = await readDictionary(id, deps)
  return {
    id,
    name: dictionary.name,
    lastUpdated: dictionary.updatedAt.toISOString(),
    updatedBy: dictionary.editorName,
    companies: await findCompaniesOf(deps.db, id),
    version: dictionaryEtag(dictionary),
  }
}

/** A dictionary with its fields and rules. Throws 404 when there is no such dictionary. */
export async function readWholeDictionary(id: number, deps: ReadDeps): Promise<Dictionary> {
  const versionId = await findPresentVersionId(deps.db, await readDictionary(id, deps))
  const { name, fields, ruleBook } = await findWholeVersion(deps.db, versionId)
  return { name, fields, ...ruleBook }
}

/** Who uses a dictionary that is to be deleted. Throws 404 when there is no such dictionary. */
export async function previewDictionaryDeletion(
  id: number,
  deps: ReadDeps,
): Promise<endpoints.DictionaryDeletion> {
  await readDictionary(id, deps)
  return countDictionaryUses(deps.db, id)
}

/** A page of a dictionary's history, newest first. Throws 404. */
export async function listVersions(
  id: number,
  paging: Omit<Paging, 'SearchText'>,
  deps: ReadDeps,
): Promise<Page<VersionItem>> {
  await readDictionary(id, deps)
  return readPage(findVersions(deps.db, id, paging), countVersions(deps.db, id), presentVersionItem, paging)
}

const presentVersionItem = (version: VersionSummary): VersionItem => ({
  revision: version.revision,
  name: version.name,
  changedAt: version.changedAt.toISOString(),
  changedBy: version.changedBy,
  change: changeSentence(version.change, version.fieldCount),
  fieldCount: version.fieldCount,
})

/** A dictionary as it was at a revision. Throws 404 when there is no such dictionary or revision. */
export async function readVersion(
  id: number,
  revision: number,
  deps: ReadDeps,
): Promise<ReplyOf<typeof versionEndpoint>> {
  await readDictionary(id, deps)
  const version = await found(findVersionOf(deps.db, id, revision), 'Version')
  const fields = await findVersionFields(deps.db, version.id)
  return { ...presentVersionItem(version), fields: presentFields(fields) }
}

/** `currentYear` comes from the server's clock, as in validation, for dates with two-digit years. */
type DictionaryToCheckBy = { id: number; name: string; versionId: number; now: Date }

/**
 * A dictionary that the viewer may upload against, as it is now; or as it was for a submission that the
 * viewer may see. Throws 404 for all others.
 */
export async function readForChecking(
  id: number,
  submission: number | undefined,
  viewer: CompanyViewer,
  { db, clock, env }: Pick<Deps, 'db' | 'clock' | 'env'>,
): Promise<DictionaryToCheckBy> {
  if (submission !== undefined) {
    const scope = scopeOf(viewer, env.historyScope)
    return { id, ...(await found(findVersionOfSubmission(db, scope, submission, id), 'Data dictionary')) }
  }
  await found(isCompanyDictionary(db, viewer.companyId, id), 'Data dictionary')
  const dictionary = await readDictionary(id, { db })
  const versionId = await findPresentVersionId(db, dictionary)
  return { id, name: dictionary.name, versionId, now: clock.now() }
}

/** What the check in the browser needs of a version. */
export const presentVersion = ({ fields, ruleBook }: WholeVersion): PartOfVersion => ({
  fields: presentFields(fields),
  ...ruleBook,
})
type PartOfVersion = Pick<endpoints.DictionaryForChecking, 'fields' | keyof RuleBook>

/** The JSON of a dictionary for the check in the browser, in parts: that of its version is cached. */
export function forCheckingJson(
  { id, name, now }: DictionaryToCheckBy,
  version: Buffer,
): (string | Buffer)[] {
  const head: Omit<endpoints.DictionaryForChecking, keyof PartOfVersion> = {
    id,
    name,
    currentYear: now.getFullYear(),
    today: utcDay(now),
  }
  return [`${JSON.stringify(head).slice(0, -1)},`, version.subarray(1)]
}

/** A page of a dictionary's fields in order. Throws 404. */
export async function listFields(
  dictionaryId: number,
  paging: Paging,
  deps: ReadDeps,
): Promise<Page<FieldItem>> {
  await readDictionary(dictionaryId, deps)
  const count = countFields(deps.db, dictionaryId, paging.SearchText)
  return readPage(findFields(deps.db, dictionaryId, paging), count, presentFieldItem, paging)
}

const presentFieldItem = (field: StoredField): FieldItem => ({
  id: field.id,
  ...presentFieldContent(field),
  position: field.position,
})

/** Throws 404 when there is no such field, or its dictionary was deleted. */
export const readField = (id: number, { db }: ReadDeps): Promise<StoredField> =>
  found(findField(db, id), 'Field')

export const presentField = (field: StoredField): FieldDetail => ({
  id: field.id,
  ...presentFieldContent(field),
  version: fieldEtag(field),
})

export const presentFields = (fields: readonly Field[]): Omit<FieldItem, 'id'>[] =>
  fields.map((field, index) => ({ ...presentFieldContent(field), position: index + 1 }))

/** The settings of a rule are in alphabetical order. */
function presentFieldContent(field: Field): Omit<FieldItem, 'id' | 'position'> {
  const { itemName: columnName, ruleConfig, ...content } = fieldToWire(field)
  const ruleConfigJson = JSON.stringify(ruleConfig, Object.keys(ruleConfig).toSorted())
  return { columnName, ...content, ruleConfigJson }
}
