import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { ErrorType } from '@veridict/contract/model/error-type'
import { labelKey } from '@veridict/contract/notation/label'
import { storable } from '@veridict/contract/notation/storable-text'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import type { ValidationResult } from '#platform/validator/validator.ts'
import { compareWithDictionaries, type DictionaryMatch } from '#dictionaries/company-dictionaries.ts'

/** How many dictionaries with the same columns are named; a dictionary rarely has more copies. */
const MAX_NAMED = 3
/** The smallest share of equal names among all names of file and dictionary for a dictionary to be named. */
const MIN_SHARE = 0.6
/** By how much its share must be larger than that of every other dictionary, including that of the upload. */
const MARGIN = 0.2

/**
 * Where the columns of a file are wrong, adds which of the company's other dictionaries it fits: the ones
 * that it fits in full, or else one that it fits clearly best. See docs/BEHAVIOUR.md#columns-that-differ.
 */
export async function nameOtherDictionaries(
  { companyId, dictionaryVersionId }: Pick<SubmissionRow, 'companyId' | 'dictionaryVersionId'>,
  verdict: ValidationResult,
  { db }: Pick<Deps, 'db'>,
): Promise<ValidationResult> {
  if (verdict.kind !== 'fileProblem' || verdict.labels === undefined) return verdict
  const { problem, labels } = verdict
  const matches = await compareWithDictionaries(db, companyId, {
    dictionaryVersionId,
    labelKeys: labels.map((label) => storable(labelKey(label))),
  })
  const found = fitting(matches, labels.length, problem.errorType === ErrorType.ColumnOrder)
  if (found.length === 0) return verdict
  const hint = fileProblemMessages.looksLike(found.map(({ name }) => name))
  return {
    ...verdict,
    problem: {
      ...problem,
      hints: [...(problem.hints ?? []), hint],
      otherDictionaries: found.map(({ id, name }) => ({ id, name })),
    },
  }
}

/** `isFullOnly`: the file has all columns of its own dictionary, so nothing less than a full fit counts. */
function fitting(
  matches: readonly DictionaryMatch[],
  labelCount: number,
  isFullOnly: boolean,
): readonly DictionaryMatch[] {
  const others = matches.filter(({ isOwn }) => !isOwn)
  const full = others.filter(({ isSame }) => isSame)
  if (full.length > 0 || isFullOnly) return full.slice(0, MAX_NAMED)
  const shareOf = ({ fieldCount, matching }: DictionaryMatch) =>
    matching / (fieldCount + labelCount - matching)
  const best = others.toSorted((a, b) => shareOf(b) - shareOf(a))[0]
  if (best === undefined || shareOf(best) < MIN_SHARE) return []
  const rivals = matches.filter((match) => match !== best)
  return rivals.every((rival) => shareOf(rival) <= shareOf(best) - MARGIN) ? [best] : []
}
