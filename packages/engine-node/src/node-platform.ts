import { isUtf8 } from 'node:buffer'
import type { Platform } from '@veridict/engine'

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
async function* inflateRaw(...packed: Parameters<Platform['inflateRaw']>): AsyncIterable<Uint8Array> {
  yield* (await import('#raw-deflate.ts')).inflate(...packed)
}

async function* deflateRaw(plain: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield* (await import('#raw-deflate.ts')).deflate(plain)
}

/** Decodes a part of any Uint8Array, without making a Buffer of it first. */
const { utf8Slice } = Buffer.prototype as unknown as {
  utf8Slice(this: Uint8Array, start: number, end: number): string
}

const encoder = new TextEncoder()

const decodeUtf8 = (bytes: Uint8Array, start: number, end: number): string =>
  utf8Slice.call(bytes, start, end)
