import {
  blankTextSetting,
  dictionarySheets,
  type ListColumn,
  type RuleColumn,
  type SettingColumn,
  severityNames,
} from '@veridict/contract/messages/dictionary-file'
import { dictionaryImportMessages as messages } from '@veridict/contract/messages/dictionary-import'
import { rowRuleMessages } from '@veridict/contract/messages/row-rules'
import type { RuleBookFault } from '@veridict/contract/model/check-rule-book'
import type { Exemption, ReferenceList, RowRule, RuleBook } from '@veridict/contract/model/row-rule'
import { labelKey } from '@veridict/contract/notation/label'
import {
  conditionText,
  readCondition,
  readDemands,
  type ReadSentence,
  ruleSentences,
} from '@veridict/contract/notation/rule-sentence'
import type { SheetRow } from '#dictionary-file/dictionary-sheet.ts'
import { clipText, MAX_CELL_TEXT } from '#formats/spreadsheet/write-cells.ts'

/** The rules between cells in the sheets of the workbook: what is written, and the way back. */

type RuleTexts = Readonly<Record<RuleColumn, string | readonly string[]>>

/** The rows of the sheet of rules. A sentence that is longer than a cell is cut into several. */
export function ruleRows({ rules, exempt }: RuleBook): RuleTexts[] {
  const rows = rules.map((rule): RuleTexts => {
    const sentences = ruleSentences(rule)
    return {
      name: rule.name,
      description: rule.description ?? '',
      severity: rule.severity,
      from: rule.from ?? '',
      when: cellTexts(sentences.if),
      then: cellTexts(sentences.then),
      otherwise: cellTexts(sentences.otherwise),
    }
  })
  return exempt === null ? rows : [...rows, exemptionRow(exempt)]
}

const exemptionRow = ({ when, description = '' }: Exemption): RuleTexts => ({
  name: '',
  description,
  severity: 'exempt',
  from: '',
  when: cellTexts(conditionText(when)),
  then: '',
  otherwise: '',
})

export const listRows = ({ lists }: RuleBook) =>
  lists.flatMap(({ name, columns, rows }) => [columns, ...rows].map((values) => ({ name, values })))

export const settingRows = ({ blankTexts }: RuleBook) =>
  blankTexts.map((value) => ({ name: blankTextSetting, value }))

function cellTexts(text: string): string[] {
  const texts: string[] = []
  for (let rest = text; rest !== ''; rest = rest.slice(texts.at(-1)!.length))
    texts.push(clipText(rest, MAX_CELL_TEXT))
  return texts
}

/** Collects a rule book from the rows of its sheets, not checked yet. */
export class RuleSheets {
  readonly book = {
    rules: [] as RowRule[],
    exempt: null as Exemption | null,
    blankTexts: [] as string[],
    lists: [] as ReferenceList[],
  }
  /** By the place that a fault of the book names. */
  readonly #rows = new Map<string, Pick<SheetRow<string>, 'report' | 'rowNumber'>>()

  takeRule(row: SheetRow<RuleColumn>): void {
    const text = row.text('severity').trim()
    const severity = severityNames.find((name) => labelKey(name) === labelKey(text))
    if (severity === undefined) row.report('severity', messages.notOneOf(text, severityNames))
    const when = readSentence(row, 'when', readCondition)
    if (severity === 'exempt') return this.#takeExemption(row, when ?? undefined)
    const then = readSentence(row, 'then', readDemands)
    const otherwise = readSentence(row, 'otherwise', readDemands)
    const rule = {
      name: row.text('name'),
      description: row.text('description'),
      severity: severity ?? 'error',
      ...(row.text('from').trim() !== '' && { from: row.text('from').trim() }),
      ...(when && { when }),
      then: then ?? [],
      ...(otherwise?.length && { otherwise }),
    }
    // Without a sentence that cannot be read, the rule may seem to demand nothing.
    const isUnread = then === null || otherwise === null
    const report: typeof row.report = (column, problem) =>
      isUnread && column === 'then' ? undefined : row.report(column, problem)
    this.#rows.set(`rules[${this.book.rules.push(rule) - 1}]`, { ...row, report })
  }

  /** An exemption has no name; one that a person wrote is not lost. */
  #takeExemption(row: SheetRow<RuleColumn>, when: Exemption['when'] | undefined): void {
    for (const column of ['from', 'then', 'otherwise'] as const) {
      const text = row.text(column).trim()
      if (text !== '') row.report(column, messages.notOfExemption(text))
    }
    const first = this.#rows.get('exempt')
    if (first !== undefined) return row.report('severity', messages.secondExemption(first.rowNumber))
    this.#rows.set('exempt', row)
    if (when === undefined && row.text('when').trim() === '') row.report('when', rowRuleMessages.emptyText)
    if (when !== undefined)
      this.book.exempt = { when, description: row.text('description') || row.text('name') }
  }

  /** The first row of a list names its columns. Blank cells at the end of other rows are values. */
  takeList(row: SheetRow<ListColumn>): void {
    const name = row.text('name').trim()
    const values = row.parts('values')
    const filled = values.slice(0, values.findLastIndex((value) => value.trim() !== '') + 1)
    if (name === '') return row.report('name', rowRuleMessages.nameRequired)
    const known = this.book.lists.find((list) => list.name === name)
    if (known === undefined)
      this.#rows.set(`lists[${this.book.lists.push({ name, columns: filled, rows: [] }) - 1}]`, row)
    else if (filled.length > known.columns.length)
      row.report('values', rowRuleMessages.rowWidth(known.columns.length))
    else known.rows.push(known.columns.map((_, index) => filled[index] ?? ''))
  }

  takeSetting(row: SheetRow<SettingColumn>): void {
    const name = row.text('name').trim()
    if (labelKey(name) !== labelKey(blankTextSetting))
      return row.report('name', messages.notOneOf(name, [blankTextSetting]))
    this.#rows.set(`blankTexts[${this.book.blankTexts.push(row.text('value')) - 1}]`, row)
  }

  /** Reports a fault at its cell; `report` takes one that has none. */
  report({ key, message }: RuleBookFault, report: (problem: string) => void): void {
    const [, place, part] = /^(\w+(?:\[\d+\])?)(?:\.(\w+))?/.exec(key) ?? []
    const row = this.#rows.get(place)
    if (row !== undefined) return row.report(part ?? 'value', message)
    const { lists, settings, rules } = dictionarySheets
    const sheet = place === 'lists' ? lists : place === 'blankTexts' ? settings : rules
    report(messages.onSheet(sheet.name, message))
  }
}

/** null on error; the problem is already reported. */
function readSentence<T>(
  row: SheetRow<RuleColumn>,
  column: RuleColumn,
  read: (text: string) => ReadSentence<T>,
): T | null {
  const sentence = read(row.text(column))
  if (sentence.ok) return sentence.value
  row.report(column, rowRuleMessages.unreadable(sentence.fault))
  return null
}
