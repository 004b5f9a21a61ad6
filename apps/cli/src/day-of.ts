import { utcDay } from '@veridict/contract/notation/utc-day'
import { UsageError } from '#exit-code.ts'

/** The day on which a file is checked, yyyy-MM-dd: the one of `--on`, or today's in UTC. */
export function dayOf(on: string | undefined): string {
  if (on === undefined) return utcDay()
  const time = /^\d{4}-\d\d-\d\d$/.test(on) ? Date.parse(`${on}T00:00:00Z`) : NaN
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(on))
    throw new UsageError(`--on needs a day, written yyyy-MM-dd: '${on}' is none.`)
  return on
}
