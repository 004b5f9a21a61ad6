import type { Edit } from '#formats/xml/edit-xml.ts'
import { attributeRemoval, leftOutElement } from '#output/leave-out.ts'
import { XmlToken, type XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'

const EXTENSIONS = xmlName('extLst')
const TABLE = xmlName('table')
const TABLE_COLUMN = xmlName('tableColumn')
/** Formulas of a table's columns, and where its data came from. */
const LEFT_OUT = ['calculatedColumnFormula', 'totalsRowFormula', 'xmlColumnPr', 'extLst'].map(xmlName)
const SOURCE_ATTRIBUTES = ['tableType', 'connectionId'].map(xmlName)
const COLUMN_ATTRIBUTES = ['queryTableFieldId', 'totalsRowFunction'].map(xmlName)

/** The edits that leave a table its look, and neither formulas nor a data source. */
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

/** The edits that leave the threads on cells without extensions: those hold the links in their texts. */
export function inertThreads(tokens: XmlTokens): Edit[] {
  const edits: Edit[] = []
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if ((token === XmlToken.Open || token === XmlToken.Empty) && tokens.nameIs(EXTENSIONS))
      edits.push(leftOutElement(tokens, token))
  }
  return edits
}
