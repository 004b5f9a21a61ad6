import type { Page, Paging } from '@veridict/contract/api/paging'

/** A page of a list, as every call returns it. */
export const presentPage = <T>(
  data: T[],
  totalCount: number,
  { PageSize }: Pick<Paging, 'PageSize'>,
): Page<T> => ({
  data,
  totalPages: Math.ceil(totalCount / PageSize),
  totalCount,
})
