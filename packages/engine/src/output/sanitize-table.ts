import { attributeRemoval, type Edit, elementRemoval, removal } from '#formats/xml/edit-xml.ts'
import { elementsNamed, openTags } from '#formats/xml/xml-elements.ts'
import type { XmlTokens } from '#formats/xml/xml-tokens.ts'

/** The elements with formulas of a table's columns, and with the source of its data. */
const LEFT_OUT = ['calculatedColumnFormula', 'totalsRowFormula', 'xmlColumnPr', 'extLst']
const SOURCE_ATTRIBUTES = ['tableType', 'connectionId']
const COLUMN_ATTRIBUTES = ['queryTableFieldId', 'totalsRowFunction']

/** The edits that remove formulas and the data source from a table; its appearance stays. */
export function sanitizeTable(tokens: XmlTokens): Edit[] {
  const edits: Edit[] = []
  const remove = (name: string) => edits.push(...attributeRemoval(tokens, name))
  for (const token of openTags(tokens)) {
    if (LEFT_OUT.some((name) => tokens.nameIs(name))) edits.push(elementRemoval(tokens, token))
    else if (tokens.nameIs('table')) SOURCE_ATTRIBUTES.forEach(remove)
    else if (tokens.nameIs('tableColumn')) COLUMN_ATTRIBUTES.forEach(remove)
  }
  return edits
}

/** The edits that remove extensions from the threads on cells: they contain the links of the texts. */
export const sanitizeThreads = (tokens: XmlTokens): Edit[] =>
  [...elementsNamed(tokens, 'extLst')].map(removal)
