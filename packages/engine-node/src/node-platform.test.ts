import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nodePlatform } from '#node-platform.ts'

const { decodeUtf8, encodeUtf8 } = nodePlatform()

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
