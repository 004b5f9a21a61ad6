import { expect, it } from 'vitest'
import { portableCrc32 } from '#formats/zip/crc32.ts'

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

it.for([
  { text: '', sum: 0 },
  { text: 'a', sum: 0xe8b7be43 },
  { text: '123456789', sum: 0xcbf43926 },
  { text: 'The quick brown fox jumps over the lazy dog', sum: 0x414fa339 },
])('The checksum of "$text" is $sum, in one piece or two', ({ text, sum }) => {
  const bytes = ascii(text)
  for (let cut = 0; cut <= bytes.length; cut++)
    expect(portableCrc32(bytes.subarray(cut), portableCrc32(bytes.subarray(0, cut)))).toBe(sum)
})
