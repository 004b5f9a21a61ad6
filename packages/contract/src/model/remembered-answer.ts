import type { z } from 'zod'
import type { rememberedAnswer } from '#api/answers.ts'
import { type Cause, correctableOf } from '#model/cause.ts'
import type { CorrectionAnswer } from '#notation/correction-answers.ts'

/**
 * What a company answered about its files for a dictionary, to be chosen next time. Of a choice also the
 * question: for another one, such as which columns are left out, the answer would be wrong.
 */
export type RememberedAnswer = z.infer<typeof rememberedAnswer>

/** The answer for the column and kind of a cause, whether or not it fits its question. */
export const answerFor = <A extends RememberedAnswer>(cause: Cause, answers: readonly A[]): A | undefined =>
  answers.find(({ kind, column }) => kind === cause.kind && column === cause.label)

/** The answer to the question of a cause, to be remembered. */
export const asRemembered = (
  { kind, label: column, question }: Cause,
  { choice, map }: CorrectionAnswer,
): RememberedAnswer => ({
  kind,
  column,
  ...(map === undefined ? { question, choice } : { map: Object.fromEntries(map) }),
})

/** What is remembered for the question of a cause, as far as it still is one of its answers. */
export function rememberedFor(
  cause: Cause,
  answers: readonly RememberedAnswer[],
): CorrectionAnswer | undefined {
  if (correctableOf(cause) !== 'choice') return undefined
  const { kind, question, choices = [], values } = cause
  const { choice, map = {}, question: asked }: Partial<RememberedAnswer> = answerFor(cause, answers) ?? {}
  const options = new Set(choices.map(({ value }) => value))
  if (values === undefined)
    return choice !== undefined && options.has(choice) && asked === question ? { choice } : undefined
  const chosen = new Map<string, string>()
  for (const { value } of values) {
    const item = Object.hasOwn(map, value) ? map[value] : undefined
    if (item === undefined || !options.has(item)) continue
    chosen.set(value, item)
    // A column of the dictionary is one column of the file.
    if (kind === 'columnsRenamed') options.delete(item)
  }
  return chosen.size === 0 ? undefined : { map: chosen }
}
