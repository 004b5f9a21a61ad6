import { attributeRemoval, type Edit, elementRemoval, removal } from '#formats/xml/edit-xml.ts'
import { elementsNamed, openTags } from '#formats/xml/xml-elements.ts'
import { type XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'

const EXTENSIONS = xmlName('extLst')
const TABLE = xmlName('table')
const TABLE_COLUMN = xmlName('tableColumn')
/** The elements with formulas of a table's columns, and with the source of its data. */
const LEFT_OUT = ['calculatedColumnFormula', 'totalsRowFormula', 'xmlColumnPr', 'extLst'].map(xmlName)
const SOURCE_ATTRIBUTES = ['tableType', 'connectionId'].map(xmlName)
const COLUMN_ATTRIBUTES = ['queryTableFieldId', 'totalsRowFunction'].map(xmlName)

/** The edits that remove formulas and the data source from a table; its appearance stays. */
export function sanitizeTable(tokens: XmlTokens): Edit[] {
  const edits: Edit[] = []
  const remove = (name: Uint8Array) => edits.push(...attributeRemoval(tokens, name))
  for (const token of openTags(tokens)) {
    if (LEFT_OUT.some((name) => tokens.nameIs(name))) edits.push(elementRemoval(tokens, token))
    else if (tokens.nameIs(TABLE)) SOURCE_ATTRIBUTES.forEach(remove)
    else if (tokens.nameIs(TABLE_COLUMN)) COLUMN_ATTRIBUTES.forEach(remove)
  }
  return edits
}

/** The edits that remove extensions from the threads on cells: they contain the links of the texts. */
export const sanitizeThreads = (tokens: XmlTokens): Edit[] =>
  [...elementsNamed(tokens, EXTENSIONS)].map(removal)
