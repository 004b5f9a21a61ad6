type Item = { id: number }

/** The present fields in the order of `own`: deleted ones are left out, new ones follow at the end. */
export function mergeOrder<Field extends Item>(own: readonly Item[], present: readonly Field[]): Field[] {
  const places = new Map(own.map(({ id }, place) => [id, place]))
  const placeOf = ({ id }: Item) => places.get(id) ?? own.length
  return present.toSorted((a, b) => placeOf(a) - placeOf(b))
}
