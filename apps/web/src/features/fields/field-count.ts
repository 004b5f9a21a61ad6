import { writeCount } from '@veridict/contract/notation/count'

/** A number of fields, in words. */
export const fieldCount = (count: number): string => `${writeCount(count)} field${count === 1 ? '' : 's'}`
