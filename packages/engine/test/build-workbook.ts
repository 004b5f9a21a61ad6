import { buildZip, type ZipOddities } from './build-zip.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE_LINKS = 'http://schemas.openxmlformats.org/package/2006/relationships'

/**
 * Parts of a small workbook; the default of each is the plainest possible. Every part may be replaced, or
 * left out with null.
 */
export type WorkbookParts = {
  /** The content of `<sheetData>`. */
  rows?: string
  /** `<si>` elements. */
  strings?: string
  /** `<xf/>` elements, by index. */
  formats?: string
  numberFormats?: string
  date1904?: boolean
  /** The `<sheet>` elements. */
  sheets?: string
  parts?: Readonly<Record<string, string | Uint8Array | null>>
  /** Names of parts in the order of the archive. */
  order?: readonly string[]
  zip?: ZipOddities
}

/** A workbook as bytes. */
export function buildWorkbook(spec: WorkbookParts): Uint8Array {
  const parts = new Map<string, string | Uint8Array>(Object.entries(plainParts(spec)))
  for (const [name, content] of Object.entries(spec.parts ?? {})) {
    if (content === null) parts.delete(name)
    else parts.set(name, content)
  }
  const names = spec.order ?? [...parts.keys()]
  return buildZip(
    names.map((name) => [name, parts.get(name)!] as const),
    spec.zip,
  )
}

export const worksheet = (rows: string, tail = '') =>
  `<worksheet xmlns="${MAIN}" xmlns:r="${LINKS}"><sheetData>${rows}</sheetData>${tail}</worksheet>`

function plainParts({
  rows = '',
  strings,
  formats,
  numberFormats = '',
  date1904 = false,
  sheets,
}: WorkbookParts): Record<string, string> {
  const link = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${LINKS}/${type}" Target="${target}"/>`
  return {
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Default Extension="xml" ContentType="application/xml"/></Types>',
    '_rels/.rels':
      `<Relationships xmlns="${PACKAGE_LINKS}">` +
      `${link('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml':
      `<workbook xmlns="${MAIN}" xmlns:r="${LINKS}">` +
      `<workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>` +
      `${sheets ?? '<sheet name="Data" sheetId="1" r:id="rId1"/>'}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `<Relationships xmlns="${PACKAGE_LINKS}">` +
      link('rId1', 'worksheet', 'worksheets/sheet1.xml') +
      link('rId2', 'styles', 'styles.xml') +
      (strings === undefined ? '' : link('rId3', 'sharedStrings', 'sharedStrings.xml')) +
      '</Relationships>',
    'xl/styles.xml':
      `<styleSheet xmlns="${MAIN}"><numFmts>${numberFormats}</numFmts><fills count="2"><fill/>` +
      `<fill/></fills><cellXfs>${formats ?? '<xf numFmtId="0"/>'}</cellXfs></styleSheet>`,
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${strings}</sst>` }),
    'xl/worksheets/sheet1.xml': worksheet(rows),
  }
}
