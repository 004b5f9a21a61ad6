import { isUtf8 } from 'node:buffer'
import type { Platform } from '@veridict/engine'

/** Up to this many bytes, making a string in JavaScript beats the call into the runtime (20–60 ns against 80). */
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

// node:zlib is loaded when it is needed: with the streams it brings, it would cost a CSV file a tenth of its time.
async function* inflateRaw(compressed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield* (await import('#raw-deflate.ts')).inflate(compressed)
}

async function* deflateRaw(plain: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield* (await import('#raw-deflate.ts')).deflate(plain)
}

/** Decodes a part of any Uint8Array, without making a Buffer of it first. */
const { utf8Slice } = Buffer.prototype as unknown as { utf8Slice(this: Uint8Array, start: number, end: number): string }

const encoder = new TextEncoder()

function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= SHORT_BYTES) {
    const text = shortAscii(bytes, start, end)
    if (text !== null) return text
  }
  return utf8Slice.call(bytes, start, end)
}

/** null where a byte is not ASCII. Four characters a step: each step makes a string. */
function shortAscii(bytes: Uint8Array, start: number, end: number): string | null {
  let text = ''
  let at = start
  for (; at + 4 <= end; at += 4) {
    const first = bytes[at]
    const second = bytes[at + 1]
    const third = bytes[at + 2]
    const fourth = bytes[at + 3]
    if ((first | second | third | fourth) > 0x7f) return null
    text += String.fromCharCode(first, second, third, fourth)
  }
  for (; at < end; at++) {
    if (bytes[at] > 0x7f) return null
    text += String.fromCharCode(bytes[at])
  }
  return text
}
