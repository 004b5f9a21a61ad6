/**
 * Where the characters end that are whole in the first `end` bytes of UTF-8: up to three bytes before, if one
 * is cut there.
 */
export function endOfWholeCharacters(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= Math.min(3, end); back++) {
    const byte = bytes[end - back]
    if (byte < 0x80) return end
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? end - back : end
  }
  return end
}
