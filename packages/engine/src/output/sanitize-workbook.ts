import { type Edit, elementRemoval, removal } from '#formats/xml/edit-xml.ts'
import { elementsNamed, firstNamed, openTags, type XmlElement } from '#formats/xml/xml-elements.ts'
import type { XmlTokens } from '#formats/xml/xml-tokens.ts'
import copied from '#output/copied-content.json' with { type: 'json' }
import type { LeftOut } from '#output/left-out.ts'
import { isPlainFormula } from '#output/plain-formula.ts'

/** Elements of a workbook that neither run nor load anything. */
const KEPT: ReadonlySet<string> = new Set(copied.workbook)
const VIEW_POSITIONS = ['activeTab', 'firstSheet']
/** A name with one of these is a macro. */
const MACRO_ATTRIBUTES = ['function', 'vbProcedure', 'xlm', 'functionGroupId', 'publishToServer']
/** LibreOffice writes function="false" and vbProcedure="false" into each name. */
const IS_FALSE = /^(?:false|0)$/
const AUTOMATIC = /^(?:_xlnm\.)?auto_/i

/** The names of a workbook's sheets, in lower case. */
export function readSheetNames(tokens: XmlTokens): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { tag } of elementsNamed(tokens, 'sheet')) names.add((tag.attribute('name') ?? '').toLowerCase())
  return names
}

type Tab = { readonly isKept: boolean; readonly position: number }

/**
 * Keeps worksheets and defined names only: no links to other files, pivot caches, or other kinds of sheets,
 * and no names that call functions or other files. `linkIds` are the copied links.
 */
export function sanitizeWorkbook(
  part: XmlTokens,
  linkIds: ReadonlySet<string>,
  sheetNames: ReadonlySet<string>,
  leftOut: LeftOut,
): Edit[] {
  const edits: Edit[] = []
  const tabs: Tab[] = []
  let keptTabs = 0
  const views: Edit[] = []
  for (const element of elementsNamed(firstNamed(part)!.content)) {
    const { tag, content: tokens } = element
    if (tag.nameIs('externalReferences')) leftOut.add('links')
    if (!KEPT.has(tag.localName())) edits.push(removal(element))
    else if (tag.nameIs('definedNames') && !element.isEmpty)
      edits.push(...sanitizeNames(element, tabs, sheetNames, leftOut))
    else
      for (const token of openTags(tokens)) {
        const isTab = tokens.nameIs('sheet')
        const isKept = isTab && linkIds.has(tokens.prefixedAttribute('id') ?? '')
        if (isTab) tabs.push({ isKept, position: isKept ? keptTabs++ : 0 })
        if (tokens.nameIs('workbookView')) views.push(...positionsOf(tokens))
        if (tokens.nameIs('extLst') || (isTab && !isKept)) edits.push(elementRemoval(tokens, token))
      }
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

/** The edits of `definedNames`. The list must not be empty. */
function sanitizeNames(
  list: XmlElement,
  tabs: readonly Tab[],
  sheetNames: ReadonlySet<string>,
  leftOut: LeftOut,
): Edit[] {
  const edits: Edit[] = []
  let copiedCount = 0
  for (const element of elementsNamed(list.content)) {
    const { tag } = element
    const isOutside = MACRO_ATTRIBUTES.some((name) => !IS_FALSE.test(tag.attribute(name) ?? 'false'))
    const isAutomatic = AUTOMATIC.test(tag.attribute('name') ?? '')
    const isPlain =
      !isOutside && !isAutomatic && isPlainFormula(element.text, (name) => sheetNames.has(name.toLowerCase()))
    if (!isPlain) leftOut.add('rules')
    const place = tag.attribute('localSheetId')
    const tab = place === null ? null : tabs[Number(place)]
    if (!isPlain || tab === undefined || tab?.isKept === false) edits.push(removal(element))
    else {
      copiedCount++
      if (tab !== null && String(tab.position) !== place)
        edits.push({ start: tag.valueStart, end: tag.valueEnd, text: String(tab.position) })
    }
  }
  return copiedCount > 0 ? edits : [removal(list)]
}
