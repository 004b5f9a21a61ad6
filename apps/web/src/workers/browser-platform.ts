import type { Platform } from '@veridict/engine/platform'
import { crc32 } from './crc32.ts'
import { deflateRaw } from './deflate-raw.ts'
import { inflateRaw } from './inflate-raw.ts'

/**
 * Up to this many bytes, a string made in JavaScript is faster than a call of the decoder (0.1 µs against
 * 0.5 µs).
 */
const SHORT_BYTES = 24

/** What the engine needs of a browser. `currentYear` is the server's. */
export const browserPlatform = (currentYear: number): Platform => ({
  inflateRaw,
  deflateRaw,
  decodeUtf8,
  encodeUtf8: (text) => encoder.encode(text),
  isUtf8,
  crc32,
  currentYear,
})

const encoder = new TextEncoder()
/** `ignoreBOM` keeps a byte order mark. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const strictDecoder = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > SHORT_BYTES) return decoder.decode(bytes.subarray(start, end))
  let text = ''
  for (let at = start; at < end; at++) {
    if (bytes[at] > 0x7f) return decoder.decode(bytes.subarray(start, end))
    text += String.fromCharCode(bytes[at])
  }
  return text
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictDecoder.decode(bytes)
    return true
  } catch {
    return false
  }
}
