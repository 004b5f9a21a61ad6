import { maxInteger } from './id.ts'

/** 24 characters of a UUID, then the id as 8 hex digits, the only part read. See docs/BEHAVIOUR.md#routes. */
export function dictionarySlug(id: number, uuid: string): string {
  return uuid.slice(0, 24) + id.toString(16).padStart(8, '0')
}

/** The id in a slug, or null if the last 8 characters are not an id in hex. */
export function dictionaryIdOf(slug: string): number | null {
  const digits = slug.slice(-8)
  if (slug.length < 8 || !/^[0-9a-f]{8}$/i.test(digits)) return null
  const id = Number.parseInt(digits, 16)
  return id > 0 && id <= maxInteger ? id : null
}
