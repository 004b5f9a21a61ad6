import { reportMessages as texts } from '@veridict/contract/messages/report'
import { type Cause, type CauseExample, shownExamples } from '@veridict/contract/model/cause'
import { firstCauses, maxFirstCauses } from '@veridict/contract/model/first-causes'
import { writeCount } from '@veridict/contract/notation/count'
import type { Paint } from '#print/painter.ts'
import { cutText, printable } from '#print/print.ts'

/** Width of a number of cells; what is below it begins after it. */
const COUNT_WIDTH = 9
const INDENT = ' '.repeat(COUNT_WIDTH + 2)
/** Longest value in an example. */
const MAX_VALUE = 60

/** `causes`: the largest ones; `causesCount`: of all. */
type Causes = { causes: readonly Cause[]; causesCount: number; cellErrorCount: number }

/** What is wrong with a file, by cause: those that most of the errors come from, as the portal's report. */
export function causeLines({ causes, causesCount, cellErrorCount }: Causes, paint: Paint): string[] {
  const first = firstCauses(causes, cellErrorCount)
  const shown = causes.slice(0, first?.count ?? maxFirstCauses)
  const suggestions = causes.reduce((sum, cause) => sum + cause.suggestions, 0)
  const others = causesCount - shown.length
  const title = first === null ? texts.manyCauses(causesCount) : texts.fixFirst(first.count, first.percent)
  return [
    paint('bold', title),
    ...shown.flatMap((cause) => linesOfCause(cause, paint)),
    ...(others > 0 ? ['', `${texts.otherCauses(others)}.`] : []),
    ...(suggestions > 0
      ? ['', `${texts.withSuggestion(suggestions, cellErrorCount)}: see veridict correct.`]
      : []),
  ]
}

/** The number of cells of a cause, its column, and what is wrong. */
export const causeLine = (cells: number, { columnPosition, message }: Cause): string => {
  const place = columnPosition === null ? '' : `${columnPosition}  `
  return `${writeCount(cells).padStart(COUNT_WIDTH)}  ${place}${printable(message)}`
}

export function linesOfCause(cause: Cause, paint: Paint): string[] {
  const examples = shownExamples(cause).map(exampleText)
  return [
    '',
    causeLine(cause.cells, cause),
    ...(examples.length > 0 ? [INDENT + examples.join('   ')] : []),
    ...(cause.advice === '' ? [] : [paint('dim', INDENT + printable(cause.advice))]),
  ]
}

function exampleText({ label, value, suggestion, count }: CauseExample): string {
  const place = label === undefined ? '' : `${printable(label)}: `
  const change = suggestion === null ? '' : ` → ${shortValue(suggestion)}`
  const times = count !== null && count > 1 ? ` (${texts.times(count)})` : ''
  return place + shortValue(value) + change + times
}

const shortValue = (value: string): string =>
  value === '' ? '(empty)' : cutText(printable(value), MAX_VALUE)
