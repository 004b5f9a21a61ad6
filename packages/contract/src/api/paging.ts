import { z } from 'zod'
import { isStorable } from '#forms/storable-text.ts'
import { pageSizes } from '#limits.ts'
import { noticeMessages } from '#messages/notices.ts'

/** Query of every list. Names are matched without regard to case. api.md, "Conventions". */
export const pagingQuery = z.object({
  SearchText: z.string().trim().max(500).refine(isStorable, noticeMessages.invalidValue).default(''),
  PageNumber: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
  PageSize: z.coerce.number().int().min(1).max(pageSizes.max).default(pageSizes.default),
})
export type Paging = z.output<typeof pagingQuery>

export const pageOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), totalPages: z.int(), totalCount: z.int() })
export type Page<T> = { data: T[]; totalPages: number; totalCount: number }
