import * as byteNames from '#formats/byte-names.ts'
import { ascii } from '#formats/bytes.ts'

const { GREATER_THAN, LESS_THAN, LOWER_C, LOWER_V, SLASH } = byteNames

/** How nearly every cell ends. */
export const VALUE_END = ascii('</v></c>')

/** Whether it stands at `at`: as `hasBytesAt`, in half the time. */
export const closesValue = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === LESS_THAN &&
  bytes[at + 1] === SLASH &&
  bytes[at + 2] === LOWER_V &&
  bytes[at + 3] === GREATER_THAN &&
  bytes[at + 4] === LESS_THAN &&
  bytes[at + 5] === SLASH &&
  bytes[at + 6] === LOWER_C &&
  bytes[at + 7] === GREATER_THAN
