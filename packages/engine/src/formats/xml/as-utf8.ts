import { LESS_THAN } from '#formats/byte-names.ts'
import { joined } from '#formats/bytes.ts'
import { isHighSurrogate, utf16Text } from '#formats/encoding.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import type { Platform } from '#platform.ts'

/** The XML declaration. It names an encoding that is no longer true; without a declaration XML is UTF-8. */
const DECLARATION = /^\ufeff?(?:<\?xml[^>]*\?>)?/
/** No declaration is longer. In characters. */
const LONGEST_DECLARATION = 1024

/**
 * A part as UTF-8. XML in a package may also be UTF-16 (ECMA-376 part 2, 8.1.4), recognized by its byte order
 * mark or its first `<`; anything else is passed on as it is. Throws if the bytes turn out not to be
 * UTF-16 text.
 */
export async function* asUtf8(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  platform: Pick<Platform, 'encodeUtf8'>,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    const start = await firstBytes(iterator)
    const whole = startingWith(start, iterator)
    const order = byteOrder(start)
    yield* order === null ? whole : transcoded(whole, order === 'little', name, platform)
  } finally {
    await iterator.return?.()
  }
}

/** The first two bytes or more; fewer where the part has fewer. */
async function firstBytes(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let start: Uint8Array = new Uint8Array(0)
  while (start.length < 2) {
    const { done, value } = await iterator.next()
    if (done) break
    start = start.length === 0 ? value : joined([start, value])
  }
  return start
}

async function* startingWith(
  start: Uint8Array,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start
  yield* { [Symbol.asyncIterator]: () => iterator }
}

function byteOrder([first, second]: Uint8Array): 'little' | 'big' | null {
  if ((first === 0xff && second === 0xfe) || (first === LESS_THAN && second === 0)) return 'little'
  return (first === 0xfe && second === 0xff) || (first === 0 && second === LESS_THAN) ? 'big' : null
}

async function* transcoded(
  chunks: AsyncIterable<Uint8Array>,
  littleEndian: boolean,
  name: string,
  platform: Pick<Platform, 'encodeUtf8'>,
): AsyncGenerator<Uint8Array> {
  const noText = () => workbookProblems.damaged(`the part ${name} holds bytes that are not text`)
  let rest: Uint8Array = new Uint8Array(0)
  // Until the declaration is whole.
  let head: string | null = ''
  for await (const chunk of chunks) {
    const bytes = joined([rest, chunk])
    let text = utf16Text(bytes, littleEndian)
    if (isHighSurrogate(text.charCodeAt(text.length - 1))) text = text.slice(0, -1)
    if (!text.isWellFormed()) throw noText()
    rest = bytes.slice(text.length * 2)
    if (head !== null) {
      head += text
      if (head.length < LONGEST_DECLARATION && !head.includes('?>')) continue
      text = head.replace(DECLARATION, '')
      head = null
    }
    yield platform.encodeUtf8(text)
  }
  if (rest.length > 0) throw noText()
  if (head !== null) yield platform.encodeUtf8(head.replace(DECLARATION, ''))
}
