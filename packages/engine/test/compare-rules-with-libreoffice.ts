import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { labelKey } from '@veridict/contract/notation/label'
import { parseDateFormat } from '@veridict/contract/notation/date-format'
import fc from 'fast-check'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { isPartial } from '#formulas/formula-text.ts'
import { demandsOf, RowFormulas } from '#formulas/rule-formulas.ts'
import { compileDictionary } from '#row-rules/compile-row-rules.ts'
import { portalGuards } from '#limits.ts'
import { openTable } from '#source/open-table.ts'
import { validateKnown } from '#source/validate-known.ts'
import { buildWorkbook, worksheet } from './build-workbook.ts'
import {
  contentTypes,
  convertInLibreOffice,
  readTabbed,
  SECOND_TO_TABBED,
  styleSheet,
} from './libreoffice.ts'
import { FIELDS as ALL_FIELDS, NAMES, randomRuleBook, rowOf } from './random-rule-book.ts'
import { bytesSource, testPlatform } from './test-platform.ts'

/**
 * Compares what formulas say of rules between cells with what the engine finds, in LibreOffice:
 * `node packages/engine/test/compare-rules-with-libreoffice.ts [folder] [seed] [books] [rows]`. It needs
 * `soffice`, so it is no test. Ends with 1 where a formula contradicts the engine.
 */
const folder = process.argv[2] ?? '/tmp/compare-with-libreoffice'
const [seed, bookCount, rowCount] = [3, 4, 5].map((at, index) =>
  Number(process.argv[at] ?? [1, 60, 60][index]),
)
mkdirSync(folder, { recursive: true })
const platform = testPlatform()
// A pattern that formulas can say.
const fields = ALL_FIELDS.map((one) =>
  one.name === 'Code' ? { ...one, rule: { type: 'pattern', pattern: '[A-Za-z0-9 ]{1,4}' } as const } : one,
)
const rows = fc.sample(rowOf, { seed, numRuns: rowCount })
const books = fc.sample(randomRuleBook, { seed, numRuns: bookCount })
const letters = fields.map((_, index) => columnLetter(index))
const columns = new Map(
  fields.map((field, index) => [labelKey(field.name), { field, letter: letters[index] }]),
)

const textCell = (reference: string, text: string) =>
  text === ''
    ? ''
    : `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
const numberCell = (reference: string, number: number, style: number) =>
  `<c r="${reference}" s="${style}"><v>${number}</v></c>`
/** Every other number and day is one, and not a text. */
function cellXml(column: number, row: number, text: string): string {
  const { rule } = fields[column]
  const reference = `${letters[column]}${row}`
  const isTyped = (row * 7 + column * 3) % 2 === 0
  if (isTyped && rule.type === 'number' && /^-?[0-9]+(\.[0-9]+)?$/.test(text) && text.length < 15)
    return numberCell(reference, Number(text), (row + column) % 3 === 0 ? 2 : 0)
  if (isTyped && ['text', 'list', 'pattern'].includes(rule.type) && /^[1-9][0-9]*$/.test(text))
    return numberCell(reference, Number(text), row % 2 === 0 ? 3 : 0)
  if (isTyped && rule.type === 'date') {
    const { parts, separator } = parseDateFormat(rule.format)!
    const values = text.trim().split(separator).map(Number)
    const [year, month, day] = ['y', 'M', 'd'].map(
      (unit) => values[parts.findIndex((part) => part[0] === unit)],
    )
    const serial = Date.UTC(year < 100 ? 2000 + year : year, month - 1, day) / 86_400_000 + 25_569
    if (!Number.isNaN(serial)) return numberCell(reference, serial, 1)
  }
  return textCell(reference, text)
}
const heading = NAMES.map((name, column) => textCell(`${letters[column]}1`, name))
// Cells beside the table are errors of a row, which no rule asks.
const dataRows = rows.map((cells, index) => {
  const row = index + 2
  const beside = index % 19 === 18 ? textCell(`${columnLetter(fields.length + 2)}${row}`, 'x') : ''
  return `<row r="${row}">${cells.map((text, column) => cellXml(column, row, text)).join('')}${beside}</row>`
})
const data = `<row r="1">${heading.join('')}</row>${dataRows.join('')}`
const numberFormats =
  '<numFmt numFmtId="170" formatCode="dd/mm/yyyy"/><numFmt numFmtId="171" formatCode="0.00"/>' +
  '<numFmt numFmtId="172" formatCode="0"/>'
const formats = ['0', '170', '171', '172']
  .map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
  .join('')
const plain = buildWorkbook({ rows: data, numberFormats, formats })

type Asked = { book: number; rule: number | null; column: number | null; isPartial: boolean; formula: string }
const asked: Asked[] = books.flatMap((book, index) => {
  const row = new RowFormulas({ columns, letters, book }, 2)
  const demands = demandsOf(book, '')
  const ofRules = demands.map((demand) => {
    const formula = row.ofDemands([demand])
    const rule = book.rules.indexOf(demand.rule)
    return { book: index, rule, column: null, isPartial: isPartial(formula), formula }
  })
  const ofColumns = fields.map((field, column) => {
    const own = row.ofDemands(demands.filter(({ columns }) => columns.includes(labelKey(field.name))))
    const formula = `OR(${row.ofCell(labelKey(field.name))},${own})`
    return { book: index, rule: null, column, isPartial: isPartial(own), formula }
  })
  return [...ofRules, ...ofColumns]
})
const lengths = asked.map(({ formula }) => formula.length).sort((one, other) => one - other)
const onData = (formula: string) =>
  formula
    .split(/("(?:[^"]|"")*")/)
    .map((piece, index) =>
      index % 2 === 1 ? piece : piece.replaceAll(/\$[A-Z]+2\b(?::\$[A-Z]+2\b)?/g, (area) => `Data!${area}`),
    )
    .join('')
const formulaRows = rows.map((_, index) => {
  const row = index + 2
  const tags = asked.map(({ formula }, column) => {
    const letter = columnLetter(column)
    const first = `<f t="shared" si="${column}" ref="${letter}2:${letter}${rows.length + 1}">`
    const tag =
      index > 0
        ? `<f t="shared" si="${column}"/>`
        : `${first}${escapeXml(`IFERROR(IF(${onData(formula)},1,0),2)`)}</f>`
    return `<c r="${letter}${row}">${tag}</c>`
  })
  return `<row r="${row}">${tags.join('')}</row>`
})
const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const link = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${links}/${type}" Target="${target}"/>`
const living = buildWorkbook({
  rows: data,
  sheets: '<sheet name="Data" sheetId="1" r:id="rId1"/><sheet name="Formulas" sheetId="2" r:id="rId9"/>',
  parts: {
    'xl/worksheets/sheet2.xml': worksheet(formulaRows.join('')),
    'xl/styles.xml': styleSheet(numberFormats, formats),
    '[Content_Types].xml': contentTypes(2),
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      link('rId1', 'worksheet', 'worksheets/sheet1.xml') +
      link('rId9', 'worksheet', 'worksheets/sheet2.xml') +
      link('rId2', 'styles', 'styles.xml') +
      '</Relationships>',
  },
})
writeFileSync(join(folder, 'rules.xlsx'), living)
convertInLibreOffice(folder, 'rules.xlsx', SECOND_TO_TABBED)
const said = readTabbed(readFileSync(join(folder, 'rules-Formulas.csv'), 'utf8'))

const found = await Promise.all(books.map((_, index) => engineFindings(index)))
const counts = { asked: 0, wrong: 0, right: 0, unknown: 0, bad: 0, badKnown: 0, partial: 0, problems: 0 }
const problems: string[] = []
const reasons = new Map<string, number>()
for (const [column, { book, rule, column: cell, isPartial, formula }] of asked.entries())
  for (const [index, texts] of rows.entries()) {
    const answer = said[index + 1]?.[column]
    const isBad = found[book].has(rule === null ? `${index + 2} cell ${cell}` : `${index + 2} rule ${rule}`)
    counts.asked++
    if (answer === '1') counts.wrong++
    else if (answer === '0') counts.right++
    else counts.unknown++
    if (isPartial) counts.partial++
    if (isBad) counts.bad++
    if (isBad && answer === '1') counts.badKnown++
    // A rule with several demands is found by one of them.
    const isOnly = rule === null || asked.filter((one) => one.book === book && one.rule === rule).length === 1
    if (answer === '2' && !isPartial && rule !== null) {
      const key = JSON.stringify(books[book].rules[rule]).slice(0, 300)
      reasons.set(key, (reasons.get(key) ?? 0) + 1)
    }
    const rules = rule === null ? books[book].rules : [books[book].rules[rule]]
    if ((answer === '1' && !isBad) || (answer === '0' && isBad && isOnly))
      problems.push(
        `${isBad ? 'refused' : 'accepted'}, said ${answer}: row ${index + 2} ${JSON.stringify(texts)} ` +
          `${cell === null ? '' : NAMES[cell]} ${JSON.stringify({ ...books[book], rules })}\n${formula}`,
      )
  }
counts.problems = problems.length
console.log(counts, 'lengths', lengths[lengths.length >> 1], lengths.at(-1))
if (process.env.SHOW_UNKNOWN)
  for (const [key, count] of [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 30)) console.log(count, key)
for (const problem of problems.slice(0, Number(process.env.SHOW ?? 5))) console.log(problem)
if (problems.length > 0) process.exitCode = 1

/** Keys of the rules that rows do not meet, and of the cells that are marked. */
async function engineFindings(index: number): Promise<ReadonlySet<string>> {
  const ruleBook = { ...books[index], day: '2026-11-26' }
  const request = {
    source: bytesSource(plain),
    fileName: 'a.xlsx',
    fields,
    ruleBook,
    platform,
    limits: portalGuards,
  }
  const opened = await openTable(request)
  const keys = new Set<string>()
  await validateKnown(opened, await compileDictionary(request, opened), {
    keepsMemos: false,
    badCells(
      row: number,
      cells: readonly { column: number }[],
      _: unknown,
      unmet: readonly { rule: { index: number }; columns: number[] }[],
    ) {
      for (const { column } of cells) keys.add(`${row} cell ${column}`)
      for (const { rule, columns } of unmet) {
        keys.add(`${row} rule ${rule.index}`)
        for (const column of columns) keys.add(`${row} cell ${column}`)
      }
    },
    records() {},
    ready: () => undefined,
  } as never)
  return keys
}
