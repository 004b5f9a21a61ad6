import { Unzip, type UnzipDecoder } from 'fflate'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInflateRaw } from 'node:zlib'
import type { Program } from '../findings.ts'

const CHUNK_BYTES = 1 << 18
const DEFLATED = 8

/** A lower bound rather than a program: inflates the parts of a workbook as streams and drops the bytes. */
export const run: Program = async ({ path }) => {
  const file = readFileSync(path)
  const inflaters: NodeInflate[] = []
  const unzip = new Unzip((part) => {
    part.ondata = () => {}
    part.start()
  })
  unzip.register(
    class extends NodeInflate {
      static readonly compression = DEFLATED
      constructor() {
        super()
        inflaters.push(this)
      }
    },
  )
  for (let at = 0; at < file.length; at += CHUNK_BYTES) {
    unzip.push(file.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= file.length)
    await inflaters.at(-1)?.drained()
  }
  await Promise.all(inflaters.map(({ ended }) => ended))
  return null
}

/** Inflates with Node, which is faster than fflate. */
class NodeInflate implements UnzipDecoder {
  ondata: UnzipDecoder['ondata'] = () => {}
  readonly #stream = createInflateRaw({ chunkSize: CHUNK_BYTES }).resume()
  readonly ended = once(this.#stream, 'end')

  push(data: Uint8Array, isLast: boolean): void {
    this.#stream.write(data)
    if (isLast) this.#stream.end()
  }

  async drained(): Promise<void> {
    if (this.#stream.writableNeedDrain) await once(this.#stream, 'drain')
  }
}
