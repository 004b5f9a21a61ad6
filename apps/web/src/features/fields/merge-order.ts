type Item = { id: number }

/** The present fields in my order: deleted ones go, new ones follow at the end. */
export function mergeOrder<Field extends Item>(mine: readonly Item[], present: readonly Field[]): Field[] {
  const places = new Map(mine.map(({ id }, place) => [id, place]))
  const placeOf = ({ id }: Item) => places.get(id) ?? mine.length
  return present.toSorted((a, b) => placeOf(a) - placeOf(b))
}
