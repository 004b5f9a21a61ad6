/** What a form holds after another user's changes were merged in. */
export type Merged<Values> = {
  values: Values
  /** Values that both changed differently; the typed value stays. */
  conflicting: (keyof Values & string)[]
}

/**
 * A three-way merge of what was typed and what another user saved; both started from `base`. A typed value
 * wins over a saved one.
 */
export function mergeEdits<Values extends object>(
  base: Values,
  typed: Values,
  saved: Values,
): Merged<Values> {
  const values = { ...saved }
  const conflicting: (keyof Values & string)[] = []
  for (const key of Object.keys(base) as (keyof Values & string)[]) {
    if (typed[key] === base[key]) continue
    values[key] = typed[key]
    if (saved[key] !== base[key] && saved[key] !== typed[key]) conflicting.push(key)
  }
  return { values, conflicting }
}
