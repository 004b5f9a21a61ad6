import { z } from 'zod'

/** A parameter of the query that may occur several times, once, or not at all. */
export const repeated = <T extends z.ZodType>(item: T) =>
  z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(item).max(1000)).prefault([])
