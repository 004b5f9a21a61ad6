import { crc32 } from 'node:zlib'
import { strToU8, type Zippable, ZipPassThrough, zipSync } from 'fflate'
import { verdictOf } from '#test/probes/verdict-of.ts'
import type { TestApp } from '#test/test-app.ts'

export const formats = 'http://schemas.openxmlformats.org'
const office = `${formats}/officeDocument/2006/relationships`
/** A part of relationships: type and target of each, and other attributes. */
export const relations = (...all: [type: string, target: string, more?: string][]) =>
  `<Relationships xmlns="${formats}/package/2006/relationships">` +
  all
    .map(
      ([type, target, more = ''], at) =>
        `<Relationship Id="r${at + 1}" Type="${office}/${type}" Target="${target}"${more}/>`,
    )
    .join('') +
  '</Relationships>'
export const sheetOf = (rows: string, before = '', after = '') =>
  `${before}<worksheet xmlns="${formats}/spreadsheetml/2006/main">` +
  `<sheetData>${rows}</sheetData>${after}</worksheet>`
export const cell = (reference: string, text: string) =>
  `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
export const twoRows = `<row r="1">${cell('A1', 'a')}</row><row r="2">${cell('A2', 'x')}</row>`

/** The parts of a small workbook. */
export const workbookParts = (changes: Record<string, string> = {}): Record<string, string> => ({
  '[Content_Types].xml':
    `<Types xmlns="${formats}/package/2006/content-types">` +
    '<Default Extension="xml" ContentType="application/xml"/></Types>',
  '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml':
    `<workbook xmlns="${formats}/spreadsheetml/2006/main" xmlns:r="${office}">` +
    '<sheets><sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml']),
  'xl/worksheets/sheet1.xml': sheetOf(twoRows),
  ...changes,
})
export const zip = (parts: Record<string, string>, more: Zippable = {}) =>
  zipSync({
    ...Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])),
    ...more,
  })
export const workbookVerdict = (portal: TestApp, changes: Record<string, string>) =>
  verdictOf(portal, zip(workbookParts(changes)), 'a.xlsx')

/** A part whose compressed bytes are pushed: fflate takes seconds for hundreds of megabytes. */
export class LargePart extends ZipPassThrough {
  readonly #bytes: Uint8Array
  constructor(name: string, bytes: Uint8Array) {
    super(name)
    this.compression = 8
    this.#bytes = bytes
  }
  protected override process(chunk: Uint8Array<ArrayBuffer>, final: boolean): void {
    this.size = this.#bytes.length
    this.crc = crc32(this.#bytes)
    super.process(chunk, final)
  }
}
