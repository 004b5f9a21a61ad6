import type { Page, Paging } from '@veridict/contract/api/paging'

/** A list of the wire. api.md, "Conventions". */
export const presentPage = <T>(
  data: T[],
  totalCount: number,
  { PageSize }: Pick<Paging, 'PageSize'>,
): Page<T> => ({
  data,
  totalPages: Math.ceil(totalCount / PageSize),
  totalCount,
})
