/** The UTF-16 units as text, also unpaired surrogates; an odd last byte is left out. */
export function utf16Text(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const units = new Uint16Array(bytes.length >> 1)
  for (let index = 0; index < units.length; index++) units[index] = view.getUint16(index * 2, littleEndian)
  let text = ''
  // `Reflect.apply`, because spreading the units into a call takes ten times as long.
  for (let start = 0; start < units.length; start += 4096)
    text += Reflect.apply(String.fromCharCode, null, units.subarray(start, start + 4096))
  return text
}

export function utf16Bytes(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let index = 0; index < text.length; index++)
    view.setUint16(index * 2, text.charCodeAt(index), littleEndian)
  return new Uint8Array(view.buffer)
}

/** Whether a UTF-16 unit is the first half of a surrogate pair. */
export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00

/** The end of the last complete character in the first `end` bytes of UTF-8: at most 3 bytes before `end`. */
export function endOfWholeCharacters(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= Math.min(3, end); back++) {
    const byte = bytes[end - back]
    if (byte < 0x80) return end
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? end - back : end
  }
  return end
}
