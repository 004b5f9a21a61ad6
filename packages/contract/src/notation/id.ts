/** The largest PostgreSQL integer, the type in which ids and row numbers are stored. */
export const maxInteger = 2_147_483_647

/**
 * The id in an address, or null for any other text. An id has one form, without sign, spaces or leading
 * zeros, so that an address never shows another item than the one it names. See docs/BEHAVIOUR.md#routes.
 */
export function idOf(text: string | null | undefined): number | null {
  if (text == null || !/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= maxInteger ? id : null
}
