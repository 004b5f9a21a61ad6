import { workbookProblems } from '#formats/workbook-problems.ts'
import { XmlToken, type XmlName, type XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'

const T = xmlName('t')
const R = xmlName('r')
const CHOICE = xmlName('Choice')
const FALLBACK = xmlName('Fallback')
const ALTERNATE = xmlName('AlternateContent')
const EXTENSIONS = xmlName('extLst')

/**
 * The text of a string item up to its closing tag: of all runs, without phonetic hints (`rPh`) and unknown
 * elements. Of `mc:AlternateContent` the fallback counts. `tokens` must be after the opening tag. null where
 * the item is cut.
 */
export function readRichText(tokens: XmlTokens, item: XmlName): string | null {
  let text = ''
  for (;;) {
    const token = tokens.next()
    switch (token) {
      case XmlToken.More:
        return null
      case XmlToken.Close:
        if (tokens.nameIs(item)) return text
        break
      case XmlToken.Open:
        if (tokens.nameIs(T)) {
          const run = readText(tokens, T)
          if (run === null) return null
          text += run
        } else if (tokens.nameIs(item)) throw workbookProblems.malformed()
        else if (!isTransparent(tokens) && !tokens.nameIs(R) && !skipElement(tokens)) return null
        break
    }
  }
}

/** Text and CDATA up to the closing tag of `element`, which holds nothing else; null if it is cut. */
export function readText(tokens: XmlTokens, element: XmlName): string | null {
  let text = ''
  for (;;) {
    const token = tokens.next()
    if (token === XmlToken.More) return null
    if (token === XmlToken.Close && tokens.nameIs(element)) return text
    if (token !== XmlToken.Text && token !== XmlToken.CData) throw workbookProblems.malformed()
    text += tokens.textValue(token)
  }
}

/**
 * Skips the element whose opening tag was just read; false if it is cut. An unclosed tag inside would
 * swallow what follows the element, so the closing tag must have the name of the opening one.
 */
export function skipElement(tokens: XmlTokens): boolean {
  const { nameStartPosition, nameEndPosition } = tokens
  for (let depth = 1; depth > 0;) {
    const token = tokens.next()
    if (token === XmlToken.More) return false
    if (token === XmlToken.Open) depth++
    else if (token === XmlToken.Close) depth--
  }
  if (!tokens.nameIsAt(nameStartPosition, nameEndPosition)) throw workbookProblems.malformed()
  return true
}

/**
 * Tags without a meaning of their own: their content counts as if they were not there. `mc:Choice` is not
 * one, since we understand none of the choices.
 */
export function isTransparent(tokens: XmlTokens): boolean {
  return tokens.nameIs(ALTERNATE) || tokens.nameIs(FALLBACK)
}

/** Extensions of later programs. Some of their elements have the same names as ours. */
export const isExtensions = (tokens: XmlTokens): boolean => tokens.nameIs(EXTENSIONS)

export const isChoice = (tokens: XmlTokens): boolean => tokens.nameIs(CHOICE)

/** Content that repeats or extends the rest, and that is not read. */
export const isLeftOut = (tokens: XmlTokens): boolean => isChoice(tokens) || isExtensions(tokens)
