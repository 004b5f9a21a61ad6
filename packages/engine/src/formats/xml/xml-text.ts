import { workbookProblems } from '#formats/workbook-problems.ts'
import type { Platform } from '#platform.ts'

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const MAX_CODE_POINT = 0x10ffff

/** Text of XML with its entities resolved. Throws for unknown entities, and as `decodeCharacters` does. */
export function decodeXmlText(platform: Platform, bytes: Uint8Array, start: number, end: number): string {
  return resolveEntities(decodeCharacters(platform, bytes, start, end))
}

/** Text in which '&' is itself (CDATA). Line ends become \n (XML 1.0 §2.11). Throws for a NUL (§2.2). */
export function decodeCharacters(platform: Platform, bytes: Uint8Array, start: number, end: number): string {
  const text = platform.decodeUtf8(bytes, start, end)
  if (text.includes('\0')) throw workbookProblems.damaged('its XML holds a NUL')
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

/** Only the five entities of XML itself exist, since no document type can declare others. */
function resolveEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&]{0,12};)?/g, (whole, name: string | undefined) => {
    const value = name === undefined ? undefined : entity(name.slice(0, -1))
    if (value === undefined) throw workbookProblems.damaged(`its XML holds the unknown entity ${whole}`)
    return value
  })
}

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined
  const code = /^#x[0-9a-f]+$/i.test(name)
    ? parseInt(name.slice(2), 16)
    : /^#[0-9]+$/.test(name)
      ? Number(name.slice(1))
      : NaN
  return code > 0 && code <= MAX_CODE_POINT && !isSurrogate(code) ? String.fromCodePoint(code) : undefined
}

/** An unpaired surrogate is not a character. */
const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff

/** `_x000D_` stands for a character that XML cannot hold (ST_Xstring, ECMA-376 part 1, 22.9.2.19). */
export function resolveCharacterEscapes(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}
