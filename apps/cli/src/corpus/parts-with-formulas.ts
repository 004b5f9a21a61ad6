import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'

const CENTRAL_ENTRY = 0x02014b50
const END_OF_DIRECTORY = 0x06054b50

/** Parts of a workbook that hold a formula; a written error file must have none. */
export function partsWithFormulas(path: string): string[] {
  return [...partsOf(readFileSync(path))].filter(({ xml }) => /<f[\s>/]/.test(xml)).map(({ name }) => name)
}

/** A plain reading of a zip that we wrote ourselves (APPNOTE 4.3.12). */
function* partsOf(zip: Buffer): Iterable<{ name: string; xml: string }> {
  const end = zip.lastIndexOf(Buffer.from(Uint32Array.of(END_OF_DIRECTORY).buffer))
  let at = zip.readUInt32LE(end + 16)
  while (zip.readUInt32LE(at) === CENTRAL_ENTRY) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(at + offset),
    )
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    yield { name, xml: (zip.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed)).toString('utf8') }
    at += 46 + nameLength + extraLength + commentLength
  }
}
