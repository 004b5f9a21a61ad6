import { dictionaryLimits } from '@veridict/contract/limits'
import { dictionaryImportMessages } from '@veridict/contract/messages/dictionary-import'
import { AppError } from '#errors.ts'

/**
 * A refusal that names every problem of a dictionary at once, as an array body; of too many, the first.
 * Decisions, "Dictionary .xlsx".
 */
export function allProblems(problems: readonly string[]): AppError {
  const told = problems.slice(0, dictionaryLimits.maxImportProblems)
  const untold = problems.length - told.length
  return new AppError(400, told[0], {
    list: untold > 0 ? [...told, dictionaryImportMessages.more(untold)] : told,
  })
}
