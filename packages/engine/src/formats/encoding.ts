/** UTF-16 units as text, also halves of surrogate pairs; an odd last byte is left out. */
export function utf16Text(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const units = new Uint16Array(bytes.length >> 1)
  for (let index = 0; index < units.length; index++) units[index] = view.getUint16(index * 2, littleEndian)
  let text = ''
  // Spreading them into a call would take ten times as long.
  for (let start = 0; start < units.length; start += 4096)
    text += fromUnits(units.subarray(start, start + 4096))
  return text
}

const fromUnits = (units: Uint16Array): string => Reflect.apply(String.fromCharCode, null, units)

/** Whether a unit of UTF-16 is the first half of a character. */
export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
