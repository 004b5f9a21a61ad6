import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { asUtf8 } from '#formats/xml/as-utf8.ts'
import { joined, testPlatform } from '../../../test/test-platform.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-16"?>'

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

const utf8Of = async (bytes: Uint8Array, size: number) =>
  Buffer.from(await joined(asUtf8(inPieces(bytes, size), 'a.xml', testPlatform()))).toString('utf8')

function utf16(text: string, bigEndian: boolean): Uint8Array {
  const bytes = Buffer.from(text, 'utf16le')
  return new Uint8Array(bigEndian ? bytes.swap16() : bytes)
}

describe('A part of a workbook', () => {
  it('in UTF-16 becomes UTF-8 without a declaration, wherever it is cut', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '美', '😀', '<', '?>', ' '), maxLength: 30 })
    const marks = fc.constantFrom('\ufeff', '')
    const declarations = fc.constantFrom(DECLARATION, '')
    await fc.assert(
      fc.asyncProperty(
        text,
        marks,
        declarations,
        fc.boolean(),
        fc.integer({ min: 1, max: 200 }),
        async (body, mark, declaration, big, size) => {
          const xml = `<x>${body}</x>`
          expect(await utf8Of(utf16(mark + declaration + xml, big), size)).toBe(xml)
        },
      ),
    )
  })

  it('in UTF-8 stays as it is', async () => {
    for (const text of ['', '<', '<x/>', `\ufeff${DECLARATION}<x>é</x>`]) {
      for (const size of [1, 2, 100]) expect(await utf8Of(new Uint8Array(Buffer.from(text)), size)).toBe(text)
    }
  })

  it.for([
    { bytes: [...utf16('<x>', false), 0x3c], why: 'half a unit at its end' },
    { bytes: [...utf16('<x>', false), 0x3d, 0xd8], why: 'half a surrogate pair at its end' },
    { bytes: [...utf16('<x>', false), 0x4d, 0xdc, ...utf16('</x>', false)], why: 'an unpaired surrogate' },
  ])('is refused with $why', async ({ bytes }) => {
    await expect(utf8Of(Uint8Array.from(bytes), 3)).rejects.toBeInstanceOf(FileProblemError)
  })
})
