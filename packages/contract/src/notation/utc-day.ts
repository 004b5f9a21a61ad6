/** A day in UTC, yyyy-MM-dd; by default today. */
export const utcDay = (at: Date = new Date()): string => at.toISOString().slice(0, 10)
