/** The largest PostgreSQL integer, the type of stored ids and row numbers. */
export const maxInteger = 2_147_483_647

/**
 * The id in an address, or null. An id has one form, without sign, spaces or leading zeros, so that an
 * address never shows another item than it names. See docs/BEHAVIOUR.md#routes.
 */
export function idOf(text: string | null | undefined): number | null {
  if (text == null || !/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= maxInteger ? id : null
}
