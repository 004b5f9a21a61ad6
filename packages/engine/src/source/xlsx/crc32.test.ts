import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { portableCrc32 } from '#source/xlsx/crc32.ts'

it('The portable checksum is that of ZIP, in one piece or two', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(40), (bytes, cut) => {
      expect(portableCrc32(bytes)).toBe(crc32(bytes))
      expect(portableCrc32(bytes.subarray(cut), portableCrc32(bytes.subarray(0, cut)))).toBe(crc32(bytes))
    }),
  )
})
