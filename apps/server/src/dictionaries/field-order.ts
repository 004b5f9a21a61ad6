import { maxInteger } from '@veridict/contract/notation/id'

/** The form of the API; positions count from 1. */
export type FieldPosition = { itemId: number; position: number }

/** The ids in the order of their positions; null unless ids differ and positions are exactly 1 to n. */
export function orderOf(positions: readonly FieldPosition[]): number[] | null {
  const ids: number[] = []
  for (const { itemId, position } of positions) {
    const isPlace = position >= 1 && position <= positions.length && ids[position - 1] === undefined
    if (!isPlace || itemId < 1 || itemId > maxInteger) return null
    ids[position - 1] = itemId
  }
  return new Set(ids).size === ids.length ? ids : null
}

/**
 * 'outdated': a listed field is gone or a newer one exists; 'incomplete': one is left out. Ids grow, so a
 * field newer than all listed ones did not exist when the list was read.
 */
export function compareOrder(
  listed: readonly number[],
  existing: readonly number[],
): 'same' | 'outdated' | 'incomplete' {
  const listedIds = new Set(listed)
  const newestListed = listed.reduce((newest, id) => Math.max(newest, id), 0)
  const leftOut = existing.filter((id) => !listedIds.has(id))
  if (leftOut.some((id) => id < newestListed) || (listed.length === 0 && existing.length > 0))
    return 'incomplete'
  return leftOut.length > 0 || listed.length > existing.length ? 'outdated' : 'same'
}
