type OpenAt = (start: number) => Promise<{ size: number; bytes: AsyncIterable<Uint8Array> }>

/** Opens a new stream where a part does not follow the last one. Keeps at most one part and chunk. */
export async function rangeReader(openAt: OpenAt) {
  const first = await openAt(0)
  let chunks = first.bytes[Symbol.asyncIterator]()
  let at = 0
  let rest: Uint8Array = new Uint8Array(0)

  const moveTo = async (position: number) => {
    if (position === at) return
    await chunks.return?.()
    chunks = (await openAt(position)).bytes[Symbol.asyncIterator]()
    at = position
    rest = new Uint8Array(0)
  }
  /** At most `length` bytes from `position` on; fewer only at the end. */
  const read = async (position: number, length: number): Promise<Uint8Array> => {
    const end = Math.min(first.size, position + length)
    if (position >= end) return new Uint8Array(0)
    await moveTo(position)
    const part = new Uint8Array(end - position)
    for (let filled = 0; filled < part.length;) {
      if (rest.length === 0) rest = (await chunks.next()).value ?? rest
      const taken = rest.subarray(0, part.length - filled)
      if (taken.length === 0) throw new Error(`the file ended at ${at} of ${first.size} bytes`)
      part.set(taken, filled)
      rest = rest.subarray(taken.length)
      filled += taken.length
      at += taken.length
    }
    return part
  }
  return { size: first.size, read, close: async () => void (await chunks.return?.()) }
}
