import { z } from 'zod'
import { isStorable } from '#notation/storable-text.ts'
import { pageSizes } from '#limits.ts'
import { noticeMessages } from '#messages/notices.ts'
import { wholeNumber } from './whole-number.ts'

export const pageNumber = wholeNumber(1_000_000_000).prefault(1)
export const pageSize = wholeNumber(pageSizes.max).prefault(pageSizes.default)

/** Query of every list. Names are matched without regard to case. See docs/BEHAVIOUR.md#calls. */
export const pagingQuery = z.object({
  SearchText: z.string().trim().max(500).refine(isStorable, noticeMessages.invalidValue).default(''),
  PageNumber: pageNumber,
  PageSize: pageSize,
})
export type Paging = z.output<typeof pagingQuery>

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), totalPages: z.int(), totalCount: z.int() })
/** A page of a list that may be very long: `totalCount` counts no further than `pageSizes.maxCount`. */
export const boundedPageOf = <T extends z.ZodType>(item: T) =>
  pageOf(item).extend({ totalIsLowerBound: z.boolean() })
export type BoundedPage<T> = Page<T> & { totalIsLowerBound: boolean }
export type Page<T> = { data: T[]; totalPages: number; totalCount: number }
