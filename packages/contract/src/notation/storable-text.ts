/** PostgreSQL keeps every character but NUL, and no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Text as PostgreSQL can keep it. */
export const storable = (text: string): string =>
  isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\uFFFD')

/**
 * JSON whose texts PostgreSQL can keep; names of members are taken as they are. Each text by itself: JSON
 * escapes half of a surrogate pair, which PostgreSQL refuses too. `without`: members to leave out.
 */
export const storableJson = (value: unknown, without?: string): string =>
  JSON.stringify(value, (name, part: unknown) =>
    name === without ? undefined : typeof part === 'string' ? storable(part) : part,
  )
