/** An answer to the question of a cause: one of its choices, or one for each of its values. */
export type CorrectionAnswer = { readonly choice?: string; readonly map?: ReadonlyMap<string, string> }

/** What a corrected copy shall correct, as the command line and addresses write it. */
export type WrittenChoice = {
  /** The ids of causes; null for all that are sure. */
  readonly causes: readonly string[] | null
  /** `ID=VALUE` */
  readonly choose: readonly string[]
  /** `ID:FROM=TO` */
  readonly map: readonly string[]
}

/** The answers by the id of their cause, which holds neither `:` nor `=`; or the first text that is none. */
export function readAnswers({
  choose,
  map,
}: Pick<WrittenChoice, 'choose' | 'map'>): Map<string, CorrectionAnswer> | string {
  const answers = new Map<string, CorrectionAnswer>()
  for (const text of choose) {
    const [, id, choice] = /^([^:=]+)=(.*)$/s.exec(text) ?? []
    if (id === undefined) return text
    answers.set(id, { choice })
  }
  for (const text of map) {
    const [, id, from, to] = /^([^:=]+):(.*)=(.*)$/s.exec(text) ?? []
    if (id === undefined) return text
    answers.set(id, { map: new Map([...(answers.get(id)?.map ?? []), [from, to]]) })
  }
  return answers
}
