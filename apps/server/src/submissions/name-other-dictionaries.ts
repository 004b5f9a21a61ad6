import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { labelKey } from '@veridict/contract/notation/label'
import { storable } from '@veridict/contract/notation/storable-text'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import type { ValidationResult } from '#platform/validator/validator.ts'
import { compareWithDictionaries, type DictionaryMatch } from '#dictionaries/company-dictionaries.ts'
import { findVersionOwner } from '#dictionaries/dictionaries.ts'

/** How many dictionaries with the same columns are named; a dictionary rarely has more copies. */
const MAX_NAMED = 3
/** The smallest share of equal names among all names of file and dictionary. */
const MIN_SHARE = 0.6
/** By how much its share must be larger than that of every other dictionary, including that of the upload. */
const MARGIN = 0.2

/**
 * Adds all other dictionaries that the file fits in full, or else the one that it clearly fits best. See
 * docs/BEHAVIOUR.md#columns-that-differ.
 */
export async function nameOtherDictionaries(
  { companyId, dictionaryVersionId }: Pick<SubmissionRow, 'companyId' | 'dictionaryVersionId'>,
  verdict: ValidationResult,
  { db }: Pick<Deps, 'db'>,
): Promise<ValidationResult> {
  if (verdict.kind !== 'fileProblem' || verdict.labels === undefined) return verdict
  const { problem, labels } = verdict
  const { dictionaryId } = await findVersionOwner(db, dictionaryVersionId)
  const found = await findFittingDictionaries({ labels, dataDictionaryId: dictionaryId }, companyId, { db })
  if (found.length === 0) return verdict
  const hint = fileProblemMessages.looksLike(found.map(({ name }) => name))
  return {
    ...verdict,
    problem: { ...problem, hints: [...(problem.hints ?? []), hint], otherDictionaries: found },
  }
}

/** Those of the company's dictionaries that a file fits by its column names, but for its own one. */
export async function findFittingDictionaries(
  { labels, dataDictionaryId }: { labels: readonly string[]; dataDictionaryId?: number },
  companyId: number,
  { db }: Pick<Deps, 'db'>,
): Promise<{ id: number; name: string }[]> {
  const labelKeys = labels.map((label) => storable(labelKey(label)))
  const matches = await compareWithDictionaries(db, companyId, { ownId: dataDictionaryId, labelKeys })
  return fitting(matches, labels.length).map(({ id, name }) => ({ id, name }))
}

function fitting(matches: readonly DictionaryMatch[], labelCount: number): readonly DictionaryMatch[] {
  const others = matches.filter(({ isOwn }) => !isOwn)
  // The file has all columns of its own dictionary, so nothing less than a full fit counts.
  const isFullOnly = matches.some(
    ({ isOwn, matching, fieldCount }) => isOwn && matching === fieldCount && fieldCount === labelCount,
  )
  const full = others.filter(({ isSame }) => isSame)
  if (full.length > 0 || isFullOnly) return full.slice(0, MAX_NAMED)
  const shareOf = ({ fieldCount, matching }: DictionaryMatch) =>
    matching / (fieldCount + labelCount - matching)
  const best = others.toSorted((a, b) => shareOf(b) - shareOf(a))[0]
  if (best === undefined || shareOf(best) < MIN_SHARE) return []
  const rivals = matches.filter((match) => match !== best)
  return rivals.every((rival) => shareOf(rival) <= shareOf(best) - MARGIN) ? [best] : []
}
