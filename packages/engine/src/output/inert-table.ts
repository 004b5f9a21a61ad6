import type { Edit } from '#formats/xml/edit-xml.ts'
import { attributeRemoval, leftOutElement } from '#output/leave-out.ts'
import { XmlToken, type XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'

const EXTENSIONS = xmlName('extLst')
const TABLE = xmlName('table')
const TABLE_COLUMN = xmlName('tableColumn')
/** The elements with formulas of a table's columns, and with the source of its data. */
const LEFT_OUT = ['calculatedColumnFormula', 'totalsRowFormula', 'xmlColumnPr', 'extLst'].map(xmlName)
const SOURCE_ATTRIBUTES = ['tableType', 'connectionId'].map(xmlName)
const COLUMN_ATTRIBUTES = ['queryTableFieldId', 'totalsRowFunction'].map(xmlName)

/** The edits that remove formulas and the data source from a table; its appearance stays. */
export function inertTable(tokens: XmlTokens): Edit[] {
  const edits: Edit[] = []
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token !== XmlToken.Open && token !== XmlToken.Empty) continue
    if (LEFT_OUT.some((name) => tokens.nameIs(name))) edits.push(leftOutElement(tokens, token))
    else {
      const names = tokens.nameIs(TABLE)
        ? SOURCE_ATTRIBUTES
        : tokens.nameIs(TABLE_COLUMN)
          ? COLUMN_ATTRIBUTES
          : []
      for (const name of names) edits.push(...attributeRemoval(tokens, name))
    }
  }
  return edits
}

/** The edits that remove extensions from the threads on cells: they contain the links of the texts. */
export function inertThreads(tokens: XmlTokens): Edit[] {
  const edits: Edit[] = []
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if ((token === XmlToken.Open || token === XmlToken.Empty) && tokens.nameIs(EXTENSIONS))
      edits.push(leftOutElement(tokens, token))
  }
  return edits
}
