import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { emptyRuleBook } from '@veridict/contract/model/row-rule'
import { cellFormula } from '#formulas/cell-formulas.ts'
import { NEVER, say } from '#formulas/formula-text.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { compileDictionary } from '#row-rules/compile-row-rules.ts'
import { portalGuards } from '#limits.ts'
import { openTable } from '#source/open-table.ts'
import { validateKnown } from '#source/validate-known.ts'
import { buildWorkbook } from './build-workbook.ts'
import { comparedFields, comparedValues, type ComparedValue, numberFormats } from './compared-cells.ts'
import { writeHighlightedFile } from '#output/highlighted-file.ts'
import { buildZip } from './build-zip.ts'
import { contentTypes, convertInLibreOffice, readTabbed, styleSheet, TO_TABBED } from './libreoffice.ts'
import { readZip } from './read-zip.ts'
import { bytesSource, joined, testPlatform } from './test-platform.ts'

/**
 * Compares what the formulas of a living workbook say of cells with what the engine finds, in LibreOffice:
 * `node packages/engine/test/compare-with-libreoffice.ts [folder] [seed] [text that counts as blank …]`. It
 * needs `soffice`, so it is no test. Ends with 1 where a formula calls a cell wrong that the engine accepts,
 * or right that it refuses.
 */
const folder = process.argv[2] ?? '/tmp/compare-with-libreoffice'
const seed = Number(process.argv[3] ?? 1)
mkdirSync(folder, { recursive: true })
const platform = testPlatform()
const fields = comparedFields()
const rows = comparedValues(fields, seed)

const book: RuleBook = { ...emptyRuleBook, blankTexts: process.argv.slice(4) }
const xmlOf = (reference: string, { type, style, text }: ComparedValue): string => {
  const start = `<c r="${reference}" s="${style}" t="${type}">`
  if (type !== 'inlineStr') return `${start}<v>${escapeXml(text)}</v></c>`
  return text === '' ? '' : `${start}<is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
}

const heading = fields.map(({ name }, column) =>
  xmlOf(`${columnLetter(column)}1`, { type: 'inlineStr', style: 0, text: name }),
)
const last = columnLetter(fields.length - 1)
const dataRows = (more: (rowNumber: number) => string) =>
  rows.map((cells, index) => {
    const tags = cells.map((cell, column) => xmlOf(columnLetter(column) + (index + 2), cell))
    return `<row r="${index + 2}">${tags.join('')}${more(index + 2)}</row>`
  })
const sheetRows = (more: (rowNumber: number) => string) =>
  `<row r="1">${heading.join('')}</row>${dataRows(more).join('')}`
const codes = numberFormats.map(
  (code, index) => `<numFmt numFmtId="${170 + index}" formatCode="${escapeXml(code)}"/>`,
)
const formats = ['0', ...numberFormats.map((_, index) => String(170 + index))].map(
  (id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
)
const plain = buildWorkbook({
  numberFormats: codes.join(''),
  formats: formats.join(''),
  rows: sheetRows(() => ''),
})

/** The formula of a column is written once, in its first row. */
const firstFormulas = fields.map((field, column) => {
  const wrong = cellFormula(field, `$${columnLetter(column)}2`, {
    isRecord: say('isAnyFilled', { range: `$A2:$${last}2` }),
    isExempt: NEVER,
    blankTexts: book.blankTexts,
  })
  return escapeXml(`IFERROR(IF(${wrong},1,0),2)`)
})
const formulaCells = (rowNumber: number) =>
  firstFormulas
    .map((formula, column) => {
      const letter = columnLetter(fields.length + column)
      const shared = `t="shared" si="${column}"`
      const tag =
        rowNumber === 2
          ? `<f ${shared} ref="${letter}2:${letter}${rows.length + 1}">${formula}</f>`
          : `<f ${shared}/>`
      return `<c r="${letter}${rowNumber}">${tag}</c>`
    })
    .join('')
const living = buildWorkbook({
  parts: {
    'xl/styles.xml': styleSheet(codes.join(''), formats.join('')),
    '[Content_Types].xml': contentTypes(1),
  },
  rows: sheetRows(formulaCells),
})
writeFileSync(join(folder, 'living.xlsx'), living)
convertInLibreOffice(folder, 'living.xlsx', TO_TABBED)
const bad = await badCellsOf(plain)

// The formulas of a row follow its cells; texts with line breaks are quoted by the exporter.
const csv = readTabbed(readFileSync(join(folder, 'living.csv'), 'utf8'))
let [wrong, right, unknownRight] = [0, 0, 0]
const problems: string[] = []
const misses = new Map<string, number>()
for (const [index, cells] of rows.entries())
  for (const [column, field] of fields.entries()) {
    const [isRight, isWrong] = ['0', '1'].map((said) => csv[index + 1][fields.length + column] === said)
    const isBad = bad.has(`${index + 2} ${column}`)
    const shown = `${field.name} ${JSON.stringify(field.rule).slice(0, 90)}: ${JSON.stringify(cells[column])}`
    if (isWrong) wrong++
    if (isRight) right++
    if (!isRight && !isWrong && !isBad) unknownRight++
    if (isRight && isBad) problems.push(`right, but refused: ${shown}`)
    if (isWrong && !isBad) problems.push(`wrong, but accepted: ${shown}`)
    if (isBad && !isWrong) {
      const key = `${field.rule.type} ${cells[column].type} ${cells[column].style}`
      misses.set(key, (misses.get(key) ?? 0) + 1)
    }
  }
console.log({
  cells: rows.length * fields.length,
  wrong,
  right,
  unknownRight,
  bad: bad.size,
  problems: problems.length,
})
console.log('not known to be wrong:')
for (const [key, count] of [...misses].sort((a, b) => b[1] - a[1]).slice(0, 20)) console.log(count, key)
for (const problem of problems.slice(0, 40)) console.log(problem)
if (problems.length > 0) process.exitCode = 1

// A Highlighted copy whose texts change places: its fills are those of before, its formats those of now.
const highlighted = await joined(writeHighlightedFile(requestOf(plain)))
const parts = readZip(highlighted)
const sheet = parts.get('xl/worksheets/sheet1.xml')!
const TEXT = /(<c [^>]*r="([A-Z]+)(\d+)"[^>]*t="inlineStr"[^>]*>)(<is>.*?<\/is>)/gs
const textsOf = Map.groupBy(
  [...sheet.matchAll(TEXT)].filter(([, , , row]) => row !== '1'),
  ([, , column]) => column,
)
const passed = new Map<string, number>()
const moved = sheet.replaceAll(TEXT, (whole, start: string, column: string, row: string) => {
  if (row === '1') return whole
  const texts = textsOf.get(column)!
  const next = (passed.get(column) ?? 0) + 1
  passed.set(column, next)
  return start + texts[(next + 40) % texts.length][4]
})
const changed = buildZip(
  [...parts].map(([name, text]) => [name, name.endsWith('sheet1.xml') ? moved : text] as const),
)
writeFileSync(join(folder, 'highlighted.xlsx'), changed)
convertInLibreOffice(folder, 'highlighted.xlsx', 'html')
const nowBad = await badCellsOf(changed)
const [table] = readFileSync(join(folder, 'highlighted.html'), 'utf8').split('</table>')
const colors = table
  .split('<tr')
  .slice(1)
  .map((tr) =>
    tr
      .split(/<td/)
      .slice(1)
      .map((td) => /^[^>]*bgcolor="#(\w+)"/.exec(td)?.[1] ?? ''),
  )
const shown = { plainAgain: 0, stillRed: 0, newlyRed: 0, newlyBadUnmarked: 0 }
const contradictions: string[] = []
for (const [index] of rows.entries())
  for (const [column, field] of fields.entries()) {
    const key = `${index + 2} ${column}`
    const color = colors[index + 1]?.[column]
    const [isBad, wasBad, isRed] = [nowBad.has(key), bad.has(key), color?.startsWith('FF8')]
    if (isBad ? color === 'FFFFFF' || (wasBad && !isRed) : isRed && !wasBad)
      contradictions.push(`${field.name}, ${key}: ${isBad ? 'refused' : 'accepted'}, shown as ${color}`)
    if (wasBad && !isBad && !isRed) shown.plainAgain++
    if (wasBad && !isBad && isRed) shown.stillRed++
    if (!wasBad && isBad && isRed) shown.newlyRed++
    if (!wasBad && isBad && !isRed) shown.newlyBadUnmarked++
  }
console.log('Highlighted, after a change:', {
  ...shown,
  bad: nowBad.size,
  contradictions: contradictions.length,
})
for (const contradiction of contradictions.slice(0, 20)) console.log(contradiction)
if (contradictions.length > 0) process.exitCode = 1

function requestOf(bytes: Uint8Array) {
  const ruleBook = { ...book, day: '2026-01-01' }
  const source = bytesSource(bytes)
  return { source, fileName: 'plain.xlsx', fields, ruleBook, platform, limits: portalGuards }
}

/** Rows from 1 and columns from 0 of the cells that the engine refuses. */
async function badCellsOf(bytes: Uint8Array): Promise<ReadonlySet<string>> {
  const request = requestOf(bytes)
  const opened = await openTable(request)
  const found = new Set<string>()
  await validateKnown(opened, await compileDictionary(request, opened), {
    keepsMemos: false,
    badCells(rowNumber: number, cells: readonly { column: number }[]) {
      for (const { column } of cells) found.add(`${rowNumber} ${column}`)
    },
    records() {},
    ready: () => undefined,
  } as never)
  return found
}
