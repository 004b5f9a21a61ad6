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
 * mark or its first `<`; all else passes unchanged. Throws if the bytes turn out not to be UTF-16 text.
 */
export async function* asUtf8(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  platform: Pick<Platform, 'encodeUtf8'>,
): AsyncGenerator<Uint8Array> {
  const noText = () => workbookProblems.damaged(`the part ${name} holds bytes that are not text`)
  let order: ByteOrder | undefined
  let rest: Uint8Array = NOTHING
  // Until the declaration is whole.
  let head: string | null = ''
  for await (const chunk of chunks) {
    const bytes: Uint8Array = rest.length === 0 ? chunk : joined([rest, chunk])
    if (bytes.length > 1) order ??= byteOrder(bytes)
    rest = order === undefined ? bytes.slice() : NOTHING
    if (order === 'none') yield bytes
    if (order === undefined || order === 'none') continue
    let text = utf16Text(bytes, order === 'little')
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
  if (order === undefined) return yield rest
  if (rest.length > 0) throw noText()
  if (order !== 'none' && head !== null) yield platform.encodeUtf8(head.replace(DECLARATION, ''))
}

const NOTHING = new Uint8Array(0)

type ByteOrder = 'little' | 'big' | 'none'

function byteOrder([first, second]: Uint8Array): ByteOrder {
  if ((first === 0xff && second === 0xfe) || (first === LESS_THAN && second === 0)) return 'little'
  return (first === 0xfe && second === 0xff) || (first === 0 && second === LESS_THAN) ? 'big' : 'none'
}
