import { workbookProblems } from '#formats/workbook-problems.ts'
import type { Edit } from '#formats/xml/edit-xml.ts'
import { XmlToken, type XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'
import { leftOutElement } from '#output/leave-out.ts'
import type { LeftOut } from '#output/left-out.ts'
import { isPlainFormula } from '#output/plain-formula.ts'

/** Elements of a workbook that neither run nor load anything. */
const KEPT = [
  'fileVersion',
  'fileSharing',
  'workbookPr',
  'workbookProtection',
  'bookViews',
  'sheets',
  'definedNames',
  'calcPr',
].map(xmlName)
const SHEET = xmlName('sheet')
const VIEW = xmlName('workbookView')
const NAME = xmlName('name')
const ID = xmlName('id')
const EXTENSIONS = xmlName('extLst')
const DEFINED_NAMES = xmlName('definedNames')
const LOCAL_SHEET = xmlName('localSheetId')
const VIEW_POSITIONS = ['activeTab', 'firstSheet'].map(xmlName)
/** A name with one of these is a macro. */
const MACRO_ATTRIBUTES = ['function', 'vbProcedure', 'xlm', 'functionGroupId', 'publishToServer'].map(xmlName)
const EXTERNAL_REFERENCES = xmlName('externalReferences')
/** LibreOffice writes function="false" and vbProcedure="false" into each name. */
const IS_FALSE = /^(?:false|0)$/
const AUTOMATIC = /^(?:_xlnm\.)?auto_/i

/** The names of a workbook's sheets, in lower case. */
export function readSheetNames(tokens: XmlTokens): ReadonlySet<string> {
  const names = new Set<string>()
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if ((token === XmlToken.Open || token === XmlToken.Empty) && tokens.nameIs(SHEET))
      names.add((tokens.attribute(NAME) ?? '').toLowerCase())
  }
  return names
}

type Tab = { readonly isKept: boolean; readonly position: number }

/**
 * The edits that remove from a workbook part all but its sheets and defined names: references to other files,
 * pivot caches, sheets that are not worksheets, and names that call functions or other files. `linkIds` are
 * the copied links.
 */
export function inertWorkbook(
  tokens: XmlTokens,
  linkIds: ReadonlySet<string>,
  sheetNames: ReadonlySet<string>,
  leftOut: LeftOut,
): Edit[] {
  const edits: Edit[] = []
  const tabs: Tab[] = []
  let keptTabs = 0
  const views: Edit[] = []
  let depth = 0
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token === XmlToken.Close) depth--
    if (token !== XmlToken.Open && token !== XmlToken.Empty) continue
    const isForeign = depth === 1 && !KEPT.some((name) => tokens.nameIs(name))
    if (isForeign && tokens.nameIs(EXTERNAL_REFERENCES)) leftOut.add('links')
    const isTab = tokens.nameIs(SHEET)
    const isKept = isTab && linkIds.has(tokens.prefixedAttribute(ID) ?? '')
    if (isTab) tabs.push({ isKept, position: isKept ? keptTabs++ : 0 })
    if (isForeign || tokens.nameIs(EXTENSIONS) || (isTab && !isKept)) {
      edits.push(leftOutElement(tokens, token))
      continue
    }
    if (tokens.nameIs(VIEW)) views.push(...positionsOf(tokens))
    if (token === XmlToken.Open && tokens.nameIs(DEFINED_NAMES))
      edits.push(...inertNames(tokens, tabs, sheetNames, leftOut))
    else if (token === XmlToken.Open) depth++
  }
  if (tabs.every(({ isKept }) => isKept)) return edits
  const moved = views.map((edit) => ({ ...edit, text: String(tabs[Number(edit.text)]?.position ?? 0) }))
  return [...edits, ...moved]
}

/** Where a view states a sheet by its position; the text is the position. */
function positionsOf(tokens: XmlTokens): Edit[] {
  return VIEW_POSITIONS.flatMap((name) => {
    const text = tokens.attribute(name)
    return text === null ? [] : [{ start: tokens.valueStart, end: tokens.valueEnd, text }]
  })
}

/** The edits of `definedNames`, whose opening tag was just read. The list must not be empty. */
function inertNames(
  tokens: XmlTokens,
  tabs: readonly Tab[],
  sheetNames: ReadonlySet<string>,
  leftOut: LeftOut,
): Edit[] {
  const { start: listStart } = tokens
  const edits: Edit[] = []
  let copiedCount = 0
  for (;;) {
    const token = tokens.next()
    if (token === XmlToken.More) throw workbookProblems.malformed()
    if (token === XmlToken.Close && tokens.nameIs(DEFINED_NAMES)) break
    if (token !== XmlToken.Open && token !== XmlToken.Empty) continue
    const { start } = tokens
    const isOutside = MACRO_ATTRIBUTES.some((name) => !IS_FALSE.test(tokens.attribute(name) ?? 'false'))
    const isAutomatic = AUTOMATIC.test(tokens.attribute(NAME) ?? '')
    const place = tokens.attribute(LOCAL_SHEET)
    const moved = { start: tokens.valueStart, end: tokens.valueEnd }
    const tab = place === null ? null : tabs[Number(place)]
    const formula = token === XmlToken.Empty ? '' : readFormula(tokens)
    const isPlain =
      !isOutside && !isAutomatic && isPlainFormula(formula, (name) => sheetNames.has(name.toLowerCase()))
    if (!isPlain) leftOut.add('rules')
    if (!isPlain || tab === undefined || tab?.isKept === false)
      edits.push({ start, end: tokens.position, text: '' })
    else {
      copiedCount++
      if (tab !== null && String(tab.position) !== place) edits.push({ ...moved, text: String(tab.position) })
    }
  }
  return copiedCount > 0 ? edits : [{ start: listStart, end: tokens.position, text: '' }]
}

/** The text of an element whose opening tag was just read, up to its closing tag. */
export function readFormula(tokens: XmlTokens): string {
  let text = ''
  for (let depth = 1; depth > 0;) {
    const token = tokens.next()
    if (token === XmlToken.More) throw workbookProblems.malformed()
    if (token === XmlToken.Open) depth++
    else if (token === XmlToken.Close) depth--
    else if (token !== XmlToken.Empty) text += tokens.textValue(token)
  }
  return text
}
