import { workbookProblems } from '#formats/workbook-problems.ts'
import { XmlToken, XmlTokens } from '#formats/xml/xml-tokens.ts'

/** An element that was read to its end. */
export class XmlElement {
  /** Has just read its first tag, until the next element is read. */
  readonly tag: XmlTokens
  /** Whether it closes itself. */
  readonly isEmpty: boolean
  readonly start: number
  readonly end: number
  readonly contentStart: number
  /** Where its last tag begins. */
  readonly contentEnd: number

  /** `tag` has just read `token`. Throws where the element is cut. */
  constructor(tag: XmlTokens, token: XmlToken, last = lastTagOf(tag, token)) {
    if (last === null) throw workbookProblems.malformed()
    this.tag = tag
    this.isEmpty = token === XmlToken.Empty
    this.start = tag.start
    this.contentStart = tag.position
    this.contentEnd = last.start
    this.end = last.position
  }

  /** null where the element is cut. `see` gets each tag that opens in it. */
  static of(tag: XmlTokens, token: XmlToken, see: (inner: XmlTokens) => void): XmlElement | null {
    const last = lastTagOf(tag, token, see)
    return last && new XmlElement(tag, token, last)
  }

  /** The element from its first tag to its last one. */
  get whole(): XmlTokens {
    return new XmlTokens(this.tag.platform, this.tag.bytes, this.start, this.end)
  }

  /** What follows its first tag, its last tag included. */
  get content(): XmlTokens {
    return new XmlTokens(this.tag.platform, this.tag.bytes, this.contentStart, this.end)
  }

  /** The text of the element and of those in it. */
  get text(): string {
    const { content } = this
    let text = ''
    for (let token = content.next(); token !== XmlToken.More; token = content.next())
      if (token === XmlToken.Text || token === XmlToken.CData) text += content.textValue(token)
    return text
  }
}

/** Where the last tag of the element begins and ends whose first tag was just read; null if it is cut. */
function lastTagOf(
  tag: XmlTokens,
  token: XmlToken,
  see?: (inner: XmlTokens) => void,
): { start: number; position: number } | null {
  const { platform, bytes, start, position, end } = tag
  if (token === XmlToken.Empty) return { start: position, position }
  const tokens = new XmlTokens(platform, bytes, start, end)
  tokens.next()
  return skipElement(tokens, see) ? tokens : null
}

/** Reads on from one opening tag to the next. */
export function* openTags(tokens: XmlTokens): Generator<XmlToken> {
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next())
    if (token === XmlToken.Open || token === XmlToken.Empty) yield token
}

/** Outermost elements with one of the names, or all; one is read at a time. Extensions only if named. */
export function* elementsNamed(tokens: XmlTokens, ...names: string[]): Generator<XmlElement> {
  for (const token of openTags(tokens)) {
    const isWanted = names.length === 0 || names.some((name) => tokens.nameIs(name))
    if (!isWanted && !isLeftOut(tokens)) continue
    const element = new XmlElement(tokens, token)
    if (isWanted) yield element
    tokens.position = element.end
  }
}

/** See `elementsNamed`. */
export const firstNamed = (tokens: XmlTokens, ...names: string[]): XmlElement | null =>
  elementsNamed(tokens, ...names).next().value ?? null

/**
 * Skips the element whose opening tag was just read; false if it is cut. Throws if the closing tag has
 * another name: an unclosed tag inside would swallow what follows the element.
 */
export function skipElement(tokens: XmlTokens, see?: (inner: XmlTokens) => void): boolean {
  const { nameStartPosition, nameEndPosition } = tokens
  for (let depth = 1; depth > 0;) {
    const token = tokens.next()
    if (token === XmlToken.More) return false
    if (token === XmlToken.Open) depth++
    else if (token === XmlToken.Close) depth--
    if (token === XmlToken.Open || token === XmlToken.Empty) see?.(tokens)
  }
  if (!tokens.nameIsAt(nameStartPosition, nameEndPosition)) throw workbookProblems.malformed()
  return true
}

/** Tags whose content counts as if they were not there. `mc:Choice` is not one: we understand no choice. */
export function isTransparent(tokens: XmlTokens): boolean {
  return tokens.nameIs('AlternateContent') || tokens.nameIs('Fallback')
}

/** Content that repeats or extends the rest. Its elements may have the names of others. */
export const isLeftOut = (tokens: XmlTokens): boolean => tokens.nameIs('Choice') || tokens.nameIs('extLst')
