const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** `1 May 2026 at 14:03 UTC`: with the zone, because readers may be in any zone. */
export const formatTime = (time: Date): string => `${times.format(time)} UTC`

/** `05/01/2026` (MM/dd/yyyy), as in the hint of a storage error. See docs/BEHAVIOUR.md#history. */
export function formatDay(time: Date): string {
  const [year, month, day] = time.toISOString().slice(0, 10).split('-')
  return `${month}/${day}/${year}`
}
