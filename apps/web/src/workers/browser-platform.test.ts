import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { browserPlatform } from './browser-platform.ts'

const platform = browserPlatform(2026)
const bytes = fc.uint8Array({ maxLength: 2000 })
const text = fc.string({ unit: 'binary', maxLength: 100 })

describe('The platform of a browser', () => {
  it('decodes any part of any bytes as Node does', () =>
    fc.assert(
      fc.property(
        fc.oneof(bytes, text.map(platform.encodeUtf8)),
        fc.nat(30),
        fc.nat(40),
        (all, start, length) => {
          const end = Math.min(start + length, all.length)
          const from = Math.min(start, end)
          const expected = new TextDecoder('utf-8', { ignoreBOM: true }).decode(all.subarray(from, end))
          expect(platform.decodeUtf8(all, from, end)).toBe(expected)
        },
      ),
    ))

  it('keeps a byte order mark', () => {
    const marked = platform.encodeUtf8('\ufeffId')
    expect(platform.decodeUtf8(marked, 0, marked.length)).toBe('\ufeffId')
  })

  it('recognizes UTF-8 as Node does', () =>
    fc.assert(
      fc.property(fc.oneof(bytes, text.map(platform.encodeUtf8)), (all) => {
        expect(platform.isUtf8(all)).toBe(isUtf8(all))
      }),
    ))

  it('continues checksums as zlib does', () =>
    fc.assert(
      fc.property(bytes, bytes, (first, second) => {
        const seed = platform.crc32(first, 0)
        expect(seed).toBe(crc32(first))
        expect(platform.crc32(second, seed)).toBe(crc32(second, crc32(first)))
      }),
    ))

  it('inflates what was deflated, however it is cut into chunks', () =>
    fc.assert(
      fc.asyncProperty(bytes, fc.integer({ min: 1, max: 600 }), async (plain, size) => {
        expect(await inflated(chunksOf(deflateRawSync(plain), size))).toEqual(Buffer.from(plain))
      }),
    ))

  it('inflates chunks that share one memory', async () => {
    const packed = deflateRawSync(randomBytes(300_000))
    async function* inOneMemory() {
      const memory = new Uint8Array(5000)
      for (let at = 0; at < packed.length; at += memory.length) {
        const part = packed.subarray(at, at + memory.length)
        memory.set(part)
        yield memory.subarray(0, part.length)
        memory.fill(0)
      }
    }
    expect(await inflated(inOneMemory())).toEqual(inflateRawSync(packed))
  })

  it('deflates into what zlib inflates, however it is cut into chunks', () =>
    fc.assert(
      fc.asyncProperty(bytes, fc.integer({ min: 1, max: 600 }), async (plain, size) => {
        const deflated = await Array.fromAsync(platform.deflateRaw(chunksOf(plain, size)))
        expect(inflateRawSync(Buffer.concat(deflated))).toEqual(Buffer.from(plain))
      }),
    ))

  it('throws on data that is damaged or cut off', async () => {
    const packed = deflateRawSync(new Uint8Array(5000).map((_, index) => index * index))
    await expect(inflated(chunksOf(packed.subarray(0, -3), 100))).rejects.toThrow()
    await expect(inflated(chunksOf(packed.fill(255, 100, 120), 100))).rejects.toThrow()
  })

  it('throws what the source of the data throws', async () => {
    const failing = (async function* () {
      yield deflateRawSync(new Uint8Array(10)).subarray(0, 2)
      throw new Error('The disk failed')
    })()
    await expect(inflated(failing)).rejects.toThrow('The disk failed')
  })

  it('inflates no further than it is read', async () => {
    const packed = deflateRawSync(new Uint8Array(100 * 1024 * 1024))
    let taken = 0
    const source = (async function* () {
      for (const chunk of chunks(packed, 1024)) {
        taken += chunk.length
        yield chunk
      }
    })()
    for await (const _ of platform.inflateRaw(source, packed.length)) break
    expect(taken).toBeLessThan(packed.length)
  })
})

async function inflated(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  // The browser does not need the size.
  return Buffer.concat(await Array.fromAsync(platform.inflateRaw(chunks, 0)))
}

async function* chunksOf(all: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  yield* chunks(all, size)
}

function* chunks(all: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}
