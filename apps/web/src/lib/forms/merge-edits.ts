/** What a form holds after someone else's changes came in. */
export type Merged<Values> = {
  values: Values
  /** What both changed, each to something else; the typed value stands. */
  contested: (keyof Values & string)[]
}

/**
 * Brings what was typed together with what someone else saved since `seen`: who alone changed a value has it,
 * and typed values stay.
 */
export function mergeEdits<Values extends object>(
  seen: Values,
  typed: Values,
  present: Values,
): Merged<Values> {
  const values = { ...present }
  const contested: (keyof Values & string)[] = []
  for (const key of Object.keys(seen) as (keyof Values & string)[]) {
    if (typed[key] === seen[key]) continue
    values[key] = typed[key]
    if (present[key] !== seen[key] && present[key] !== typed[key]) contested.push(key)
  }
  return { values, contested }
}
