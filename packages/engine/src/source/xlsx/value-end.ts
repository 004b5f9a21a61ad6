import { ascii } from '#formats/bytes.ts'

const LT = 0x3c
const GT = 0x3e
const SLASH = 0x2f
const LETTER_c = 0x63
const LETTER_v = 0x76

/** What nearly every cell ends with. */
export const VALUE_END = ascii('</v></c>')

/** Whether it stands there: the same as `hasBytesAt`, at half the price. */
export const closesValue = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === LT &&
  bytes[at + 1] === SLASH &&
  bytes[at + 2] === LETTER_v &&
  bytes[at + 3] === GT &&
  bytes[at + 4] === LT &&
  bytes[at + 5] === SLASH &&
  bytes[at + 6] === LETTER_c &&
  bytes[at + 7] === GT
