import { dictionaryLimits } from '@veridict/contract/limits'
import { dictionaryImportMessages } from '@veridict/contract/messages/dictionary-import'
import { AppError } from '#errors.ts'

/**
 * A refusal with all problems of a dictionary as an array; if there are too many, only the first ones. See
 * docs/BEHAVIOUR.md#dictionary-workbook.
 */
export function allProblems(problems: readonly string[]): AppError {
  const named = problems.slice(0, dictionaryLimits.maxImportProblems)
  const more = problems.length - named.length
  return new AppError(400, named[0], {
    list: more > 0 ? [...named, dictionaryImportMessages.more(more)] : named,
  })
}
