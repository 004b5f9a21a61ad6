import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** To text with tabs, of the second sheet if there is one: what comparisons with LibreOffice share. */
export const TO_TABBED = 'csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,false'
export const SECOND_TO_TABBED = `${TO_TABBED},false,false,2`

export const styleSheet = (numberFormats: string, formats: string): string =>
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  `<numFmts>${numberFormats}</numFmts><fonts><font><sz val="11"/></font></fonts>` +
  '<fills><fill><patternFill patternType="none"/></fill></fills>' +
  '<borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs>' +
  `<cellXfs>${formats}</cellXfs></styleSheet>`

const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
export const contentTypes = (sheets: number): string =>
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  [
    `workbook.xml ${TYPES}.sheet.main+xml`,
    ...Array.from(
      { length: sheets },
      (_, index) => `worksheets/sheet${index + 1}.xml ${TYPES}.worksheet+xml`,
    ),
    `styles.xml ${TYPES}.styles+xml`,
  ]
    .map((part) => part.split(' '))
    .map(([name, type]) => `<Override PartName="/xl/${name}" ContentType="${type}"/>`)
    .join('') +
  '</Types>'

export function convertInLibreOffice(folder: string, name: string, format: string): void {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const options = ['--headless', '--convert-to', format, '--outdir', folder, join(folder, name)]
  execFileSync('soffice', [profile, ...options], { stdio: 'inherit' })
}

export function readTabbed(text: string): string[][] {
  const lines: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (character === '"') isQuoted = true
    else if (character === '\t' || character === '\n') {
      lines.at(-1)!.push(cell)
      cell = ''
      if (character === '\n') lines.push([])
    } else cell += character
  }
  return lines
}
