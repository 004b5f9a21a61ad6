import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodePlatform } from '#node-platform.ts'

const { decodeUtf8, encodeUtf8, inflateRaw } = nodePlatform()

/** Short texts have a decoder of their own. */
const texts = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 16 }),
  fc.string({ unit: 'binary', maxLength: 16 }),
)

it('decodes a part of a larger byte array', () => {
  fc.assert(
    fc.property(texts, texts, texts, (before, text, behind) => {
      const start = encodeUtf8(before).length
      const bytes = encodeUtf8(before + text + behind)
      expect(decodeUtf8(bytes, start, start + encodeUtf8(text).length)).toBe(text)
    }),
    { numRuns: 1000 },
  )
})

describe('Inflating', () => {
  const KIB = 1024
  /** A chunk is valid until the next: all are in the same memory. */
  async function* chunksOf(packed: Uint8Array, step: number): AsyncGenerator<Uint8Array> {
    const shared = new Uint8Array(step)
    for (let at = 0; at < packed.length; at += step) {
      const chunk = packed.subarray(at, at + step)
      shared.fill(0).set(chunk)
      yield shared.subarray(0, chunk.length)
    }
    shared.fill(0)
  }
  async function inflated(packed: Uint8Array, step: number): Promise<Buffer> {
    const copies: Buffer[] = []
    for await (const chunk of inflateRaw(chunksOf(packed, step), packed.length))
      copies.push(Buffer.from(chunk))
    return Buffer.concat(copies)
  }

  it.for([0, 1, 60 * KIB, 70 * KIB, 512 * KIB - 1, 512 * KIB, 512 * KIB + 1, 3000 * KIB])(
    'returns the same %i bytes, at once or in a stream',
    async (size) => {
      for (const plain of [Buffer.alloc(size, 'veridict'), randomBytes(size)]) {
        const packed = deflateRawSync(plain)
        expect((await inflated(packed, 128 * KIB)).equals(plain)).toBe(true)
        if (packed.length < 64 * KIB) expect((await inflated(packed, 1000)).equals(plain)).toBe(true)
      }
    },
  )

  it('returns what precedes a cut in small data, as a heading row is read from it', async () => {
    const plain = randomBytes(50 * KIB)
    const packed = deflateRawSync(plain).subarray(0, -1000)
    const chunks = inflateRaw(
      (async function* () {
        yield packed
      })(),
      packed.length,
    )[Symbol.asyncIterator]()
    const { value } = await chunks.next()
    expect(plain.indexOf(value)).toBe(0)
    await expect(chunks.next()).rejects.toThrow()
  })

  it('asks for no more when nobody reads on', async () => {
    const packed = deflateRawSync(randomBytes(8000 * KIB), { level: 0 })
    let asked = 0
    let isClosed = false
    const counted = (async function* () {
      try {
        for await (const chunk of chunksOf(packed, 128 * KIB)) {
          asked++
          yield chunk
        }
      } finally {
        isClosed = true
      }
    })()
    for await (const _ of inflateRaw(counted, packed.length)) break
    const before = asked
    while (!isClosed) await new Promise((resolve) => void setImmediate(resolve))
    expect(asked).toBe(before)
  })

  it.for([100, 200 * KIB])('throws where the data of %i bytes are cut off or damaged', async (size) => {
    const packed = deflateRawSync(randomBytes(size))
    await expect(inflated(packed.subarray(0, -3), 128 * KIB)).rejects.toThrow()
    await expect(inflated(packed.subarray(0, 0), 128 * KIB)).rejects.toThrow()
    await expect(inflated(packed.fill(255, 0, 20), 128 * KIB)).rejects.toThrow()
  })
})
