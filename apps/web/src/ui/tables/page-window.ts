/** Numbers of the first and last item on a page, from 1. Past the last page both are the total. */
export function firstAndLast(
  page: number,
  pageSize: number,
  totalCount: number,
): { first: number; last: number } {
  return {
    first: Math.min((page - 1) * pageSize + 1, totalCount),
    last: Math.min(page * pageSize, totalCount),
  }
}

/** A page number from the address: a whole number of at least 1, else 1. */
export function pageNumberOf(text: string | null): number {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1
}

/** A page of a list that is here as a whole. */
export const pageOf = <T>(items: readonly T[], page: number, pageSize: number) => ({
  data: items.slice((page - 1) * pageSize, page * pageSize),
  totalPages: Math.ceil(items.length / pageSize),
  totalCount: items.length,
})
