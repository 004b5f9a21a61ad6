import { isUtf8 } from 'node:buffer'
import type { Platform } from '@veridict/engine'

/**
 * Up to this many bytes, a string made in JavaScript is faster than a call into the runtime (20 ns against
 * 60).
 */
const SHORT_BYTES = 12

/** What the engine needs of Node. */
export function nodePlatform(currentYear: number = new Date().getFullYear()): Platform {
  return {
    inflateRaw,
    deflateRaw,
    decodeUtf8,
    encodeUtf8: (text) => encoder.encode(text),
    isUtf8,
    crc32: (bytes, seed) => process.getBuiltinModule('node:zlib').crc32(bytes, seed),
    currentYear,
  }
}

// node:zlib is loaded when it is needed: with its streams it would cost a CSV file a tenth of its time.
async function* inflateRaw(compressed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield* (await import('#raw-deflate.ts')).inflate(compressed)
}

async function* deflateRaw(plain: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield* (await import('#raw-deflate.ts')).deflate(plain)
}

/** Decodes a part of any Uint8Array, without making a Buffer of it first. */
const { utf8Slice } = Buffer.prototype as unknown as {
  utf8Slice(this: Uint8Array, start: number, end: number): string
}

const encoder = new TextEncoder()

function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return end - start <= SHORT_BYTES && isAscii(bytes, start, end)
    ? shortAscii(bytes, start, end - start)
    : utf8Slice.call(bytes, start, end)
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  let bits = 0
  for (let at = start; at < end; at++) bits |= bytes[at]
  return bits <= 0x7f
}

const { fromCharCode } = String

/** One call for up to ten characters, as a date has: joining shorter strings takes half as long again. */
function shortAscii(b: Uint8Array, at: number, size: number): string {
  switch (size) {
    case 0:
      return ''
    case 1:
      return fromCharCode(b[at])
    case 2:
      return fromCharCode(b[at], b[at + 1])
    case 3:
      return fromCharCode(b[at], b[at + 1], b[at + 2])
    case 4:
      return fromCharCode(b[at], b[at + 1], b[at + 2], b[at + 3])
    case 5:
      return fromCharCode(b[at], b[at + 1], b[at + 2], b[at + 3], b[at + 4])
    case 6:
      return fromCharCode(b[at], b[at + 1], b[at + 2], b[at + 3], b[at + 4], b[at + 5])
    case 7:
      return fromCharCode(b[at], b[at + 1], b[at + 2], b[at + 3], b[at + 4], b[at + 5], b[at + 6])
    case 8:
      return fromCharCode(b[at], b[at + 1], b[at + 2], b[at + 3], b[at + 4], b[at + 5], b[at + 6], b[at + 7])
    case 9:
      return fromCharCode(
        b[at],
        b[at + 1],
        b[at + 2],
        b[at + 3],
        b[at + 4],
        b[at + 5],
        b[at + 6],
        b[at + 7],
        b[at + 8],
      )
    case 10:
      return fromCharCode(
        b[at],
        b[at + 1],
        b[at + 2],
        b[at + 3],
        b[at + 4],
        b[at + 5],
        b[at + 6],
        b[at + 7],
        b[at + 8],
        b[at + 9],
      )
    default:
      return shortAscii(b, at, 10) + shortAscii(b, at + 10, size - 10)
  }
}
