import type { CauseKind } from '@veridict/contract/model/cause'
import codePages from '#known/code-pages.json' with { type: 'json' }
import entities from '#known/entities.json' with { type: 'json' }

/** A text that a program wrote in other characters than its own, and what it was. */
export type Rewriting = {
  readonly kind: Extract<CauseKind, 'brokenLetters' | 'otherDigits'>
  readonly detail: string
  readonly text: string
}

/** The first digits of scripts: Arabic, Persian, Devanagari, Bengali, Thai, and those as wide as Chinese. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]
const OTHER_DIGIT = `[${ZEROS.map((zero) => String.fromCharCode(zero, 0x2d, zero + 9)).join('')}]`
/** Tested first: hardly a value has two bytes of one letter (Ã¼), an entity or another digit. */
const MAY_BE_REWRITTEN = new RegExp(`[\u00c2-\u00ef][^\\0-\\x7f\u00c0-\u00ff]|&[A-Za-z#]|${OTHER_DIGIT}`)

/** null where no letter is broken and no digit is of another script. */
export function rewriting(text: string): Rewriting | null {
  if (!MAY_BE_REWRITTEN.test(text)) return null
  const decoded = fromUtf8(text)
  if (decoded !== null) return { kind: 'brokenLetters', detail: 'utf8', text: decoded.trim() }
  const plain = text.includes('&') ? withoutEntities(text) : text
  if (plain !== text) return { kind: 'brokenLetters', detail: 'html', text: plain.trim() }
  const digits = withPlainDigits(text)
  return digits === text ? null : { kind: 'otherDigits', detail: '', text: digits.trim() }
}

/** The characters of windows-1252 from 0x80 on that are not those of Unicode. */
const HIGH = codePages['windows-1252'].slice(0, 0x20)

/** MÃ¼ller is Müller: its UTF-8 was read as windows-1252. null where the characters are no such bytes. */
function fromUtf8(text: string): string | null {
  let decoded = ''
  for (let at = 0; at < text.length; at++) {
    const byte = byteAt(text, at)
    if (byte < 0x80) {
      decoded += text[at]
      continue
    }
    const length = byte >= 0xc2 && byte <= 0xdf ? 2 : byte >= 0xe0 && byte <= 0xef ? 3 : 0
    let code = length === 2 ? byte & 0x1f : byte & 0x0f
    if (length === 0) return null
    for (let index = 1; index < length; index++) {
      const next = byteAt(text, at + index)
      if (next < 0x80 || next > 0xbf) return null
      code = (code << 6) | (next & 0x3f)
    }
    decoded += String.fromCharCode(code)
    at += length - 1
  }
  return decoded === text ? null : decoded
}

/** Below 0x80 where windows-1252 does not have the character, and after the end. */
function byteAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code <= 0xff ? code : 0x80 + HIGH.indexOf(text[at])
}

const ENTITIES: Readonly<Record<string, string>> = entities
const ENTITY = /&(?:#(?<code>\d{1,6})|#x(?<hex>[\da-f]{1,5})|(?<name>[a-z]{2,6}));/gi
const LAST_CODE_POINT = 0x10ffff

/** M&uuml;ller is Müller: the text was taken from a web page. */
const withoutEntities = (text: string): string =>
  text.replace(ENTITY, (entity, code?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : entity
    const point = code === undefined ? Number.parseInt(hex!, 16) : Number(code)
    return point >= 0x20 && point <= LAST_CODE_POINT ? String.fromCodePoint(point) : entity
  })

const NOT_ASCII = /[^\0-\x7f]/g
const SIGNS: Readonly<Record<string, string>> = { '\u066b': '.', '\u066c': ',' }
/** Signs and letters as wide as Chinese ones; each is this far from its ordinary form. */
const FIRST_WIDE = 0xff01
const LAST_WIDE = 0xff5e
const WIDE = 0xfee0

function withPlainDigits(text: string): string {
  if (!new RegExp(OTHER_DIGIT).test(text)) return text
  return text.replace(NOT_ASCII, (character) => {
    const code = character.charCodeAt(0)
    const zero = ZEROS.find((first) => code >= first && code <= first + 9)
    if (zero !== undefined) return String(code - zero)
    if (code >= FIRST_WIDE && code <= LAST_WIDE) return String.fromCharCode(code - WIDE)
    return SIGNS[character] ?? character
  })
}
