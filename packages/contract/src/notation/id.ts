/** The largest PostgreSQL integer. */
export const maxInteger = 2_147_483_647

/** Only one form, without sign, spaces or leading zeros; null for others. See docs/BEHAVIOUR.md#routes. */
export function idOf(text: string | null | undefined): number | null {
  if (text == null || !/^[1-9]\d{0,9}$/.test(text)) return null
  const id = Number(text)
  return id <= maxInteger ? id : null
}
