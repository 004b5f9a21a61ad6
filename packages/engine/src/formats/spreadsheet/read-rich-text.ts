import { workbookProblems } from '#formats/workbook-problems.ts'
import { isTransparent, skipElement } from '#formats/xml/xml-elements.ts'
import { XmlToken, type XmlTokens } from '#formats/xml/xml-tokens.ts'

/**
 * The text of all runs up to the closing tag, without phonetic hints (`rPh`) and unknown elements; of
 * `mc:AlternateContent` the fallback. `tokens` is after the opening tag. null if the item is cut.
 */
export function readRichText(tokens: XmlTokens, item: string): string | null {
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
        if (tokens.nameIs('t')) {
          const run = readText(tokens, 't')
          if (run === null) return null
          text += run
        } else if (tokens.nameIs(item)) throw workbookProblems.malformed()
        else if (!isTransparent(tokens) && !tokens.nameIs('r') && !skipElement(tokens)) return null
        break
    }
  }
}

/** Text and CDATA up to the closing tag of `element`, which holds nothing else; null if it is cut. */
export function readText(tokens: XmlTokens, element: string): string | null {
  let text = ''
  for (;;) {
    const token = tokens.next()
    if (token === XmlToken.More) return null
    if (token === XmlToken.Close && tokens.nameIs(element)) return text
    if (token !== XmlToken.Text && token !== XmlToken.CData) throw workbookProblems.malformed()
    text += tokens.textValue(token)
  }
}
