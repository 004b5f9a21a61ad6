import { streamPart } from '#formats/spreadsheet/read-part.ts'
import { edited, type Edit, elementRemoval, removal } from '#formats/xml/edit-xml.ts'
import { isTransparent, openTags, XmlElement } from '#formats/xml/xml-elements.ts'
import { XmlToken, XmlTokens } from '#formats/xml/xml-tokens.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import type { ZipEntry } from '#formats/zip/zip-directory.ts'
import copied from '#output/copied-content.json' with { type: 'json' }
import { LeftOut } from '#output/left-out.ts'
import { withoutOurRules } from '#output/sheet-tail.ts'
import { isPlainFormula } from '#output/plain-formula.ts'
import { NO_ROWS } from '#output/row-feed.ts'
import { SheetRewriter } from '#output/sheet-rewriter.ts'
import type { Platform } from '#platform.ts'
import type { LeftOutKind } from '@veridict/contract/messages/error-files'

/** May follow the rows of a sheet: its appearance, and rules for input without references. */
const KEPT: ReadonlySet<string> = new Set(copied.sheetTail)
const LEFT_OUT: ReadonlyMap<string, LeftOutKind | null> = new Map([
  ['hyperlinks', 'links'],
  ['oleObjects', 'objects'],
  ['controls', 'objects'],
  ['sheetCalcPr', null],
])
const LINKED: ReadonlyMap<string, string> = new Map([
  ['drawing', 'drawing'],
  ['legacyDrawing', 'vmlDrawing'],
  ['picture', 'image'],
  ['pageSetup', 'printerSettings'],
  ['tablePart', 'table'],
])
const FORMULAS = ['formula', 'formula1', 'formula2']
const RULES = ['conditionalFormatting', 'dataValidations']

export type SheetRules = {
  /** The types of the sheet's copied links, by id. */
  readonly links: ReadonlyMap<string, string>
  /** In lower case. */
  readonly sheetNames: ReadonlySet<string>
  /** Whether cells may refer to metadata of the workbook, which is not copied. */
  readonly hasMetadata: boolean
}

/** Without formulas, links and objects; null if it has none, as most. Packing takes longer than reading. */
export async function sanitizeSheet(
  archive: ZipArchive,
  entry: ZipEntry,
  rules: SheetRules,
  leftOut: LeftOut,
): Promise<(() => AsyncGenerator<Uint8Array>) | null> {
  let isChanged = false
  const rewritten = (counts: LeftOut) => {
    const { platform } = archive
    const { hasMetadata } = rules
    const rewriter = new SheetRewriter({
      platform,
      rows: NO_ROWS,
      editor: NO_EDITS,
      leftOut: counts,
      hasMetadata,
    })
    return rewriter.rewrite(streamPart(archive, entry), (tail) => {
      const edited = sanitizeTailBytes(tail, rules, counts, platform)
      isChanged ||= edited !== tail || rewriter.hasLeftOut
      return [edited]
    })
  }
  for await (const _ of rewritten(leftOut));
  return isChanged ? () => rewritten(new LeftOut()) : null
}

const NO_EDITS = { editCell: () => [], missingCell: () => '' }

/** Rewrites what follows the rows. Our rules for input of an earlier time go, too. */
export const sanitizeTailBytes = (
  tail: Uint8Array,
  rules: SheetRules,
  leftOut: LeftOut,
  platform: Platform,
): Uint8Array => {
  const foreign = withoutOurRules(tail, platform)
  const edits = sanitizeTail(new XmlTokens(platform, foreign), rules, leftOut)
  return edited(foreign, edits, platform)
}

function sanitizeTail(tokens: XmlTokens, rules: SheetRules, leftOut: LeftOut): Edit[] {
  const edits: Edit[] = []
  for (const token of openTags(tokens)) {
    // What wraps alternatives is no child of the sheet, but what it holds is.
    if (token === XmlToken.Open && (isTransparent(tokens) || tokens.nameIs('Choice'))) continue
    const element = new XmlElement(tokens, token)
    edits.push(...sanitizeElement(element, rules, leftOut))
    tokens.position = element.end
  }
  return edits
}

function sanitizeElement(element: XmlElement, { links, sheetNames }: SheetRules, leftOut: LeftOut): Edit[] {
  const { tag, whole: tokens } = element
  const name = tag.localName()
  if (!KEPT.has(name)) {
    const kind = LEFT_OUT.get(name)
    leftOut.add(kind === undefined ? 'others' : kind)
    return [removal(element)]
  }
  const isRule = RULES.includes(name)
  const isPlain = (formula: string) => isPlainFormula(formula, (name) => sheetNames.has(name.toLowerCase()))
  const edits: Edit[] = []
  let isInert = true
  for (const token of openTags(tokens)) {
    const type = LINKED.get(tokens.localName())
    const id = type === undefined ? null : tokens.prefixedAttribute('id')
    if (id !== null && links.get(id) !== type) isInert = false
    // For every type of threshold: the value of the type "number" may also be a formula.
    if (tokens.nameIs('cfvo')) isInert &&= isPlain(tokens.attribute('val') ?? '')
    if (tokens.nameIs('AlternateContent')) isInert = false
    if (tokens.nameIs('extLst')) edits.push(elementRemoval(tokens, token))
    else if (token === XmlToken.Open && isRule && FORMULAS.some((name) => tokens.nameIs(name)))
      isInert &&= isPlain(new XmlElement(tokens, token).text)
  }
  if (isInert) return edits
  if (isRule) leftOut.add('rules')
  return [removal(element)]
}
