import { APOSTROPHE, QUOTE, SPACE } from '#formats/byte-names.ts'
import { skipElement } from '#formats/spreadsheet/read-rich-text.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import type { Edit } from '#formats/xml/edit-xml.ts'
import { XmlToken, type XmlName, type XmlTokens } from '#formats/xml/xml-tokens.ts'

/** Leaves out the element whose first tag was just read; then its last tag is read, too. */
export function leftOutElement(tokens: XmlTokens, token: XmlToken): Edit {
  const { start } = tokens
  if (token === XmlToken.Open && !skipElement(tokens)) throw workbookProblems.malformed()
  return { start, end: tokens.position, text: '' }
}

/** Removes an attribute of the tag that was just read; nothing if it has none of that name. */
export function attributeRemoval(tokens: XmlTokens, name: XmlName): Edit[] {
  if (!tokens.findAttribute(name)) return []
  const { bytes, valueStart, valueEnd } = tokens
  let start = valueStart - 1
  // Back over the quote, the equals sign and white space to the name, then to the white space before it.
  while (
    bytes[start] === QUOTE ||
    bytes[start] === APOSTROPHE ||
    bytes[start] <= SPACE ||
    bytes[start] === 0x3d
  )
    start--
  while (bytes[start] > SPACE) start--
  return [{ start, end: valueEnd + 1, text: '' }]
}
