type Item = { id: number }

/** My order of the fields there are now: those that were deleted go, those that are new follow at the end. */
export function mergeOrder<Field extends Item>(mine: readonly Item[], present: readonly Field[]): Field[] {
  const places = new Map(mine.map(({ id }, place) => [id, place]))
  const placeOf = ({ id }: Item) => places.get(id) ?? mine.length
  return present.toSorted((a, b) => placeOf(a) - placeOf(b))
}
