import type { Rule } from '@veridict/contract/model/rule'
import { parseDateFormat, writeDate } from '@veridict/contract/notation/date-format'

/** Longest text that serves as an example: in a longer one its length is not visible. */
const LONGEST_TEXT = 24

/** Values worth trying with a rule: some that fit, some common mistakes. The empty cell comes first. */
export const exampleValues = (rule: Rule): string[] => [...new Set(['', ...examplesOf(rule)])]

function examplesOf(rule: Rule): string[] {
  switch (rule.type) {
    case 'text':
      return textExamples(rule.minLength ?? 0, rule.maxLength ?? Infinity)
    case 'number':
      return [...numberExamples(rule.minimum, rule.maximum), ...tooFine(rule.scale), '12,5']
    case 'date':
      return dateExamples(rule.format)
    case 'pattern':
      return []
    case 'list':
      return listExamples(rule.options)
  }
}

function textExamples(minimum: number, maximum: number): string[] {
  const lengths = [minimum - 1, minimum, maximum, maximum + 1].filter(
    (length) => length > 0 && length <= LONGEST_TEXT,
  )
  const texts = lengths.map((length) => 'abcdefghijklmnopqrstuvwxyz'.slice(0, length))
  return texts.length === 0 ? [' spaces around '] : texts
}

/** Both bounds, which are inclusive, and a number beyond one of them. */
function numberExamples(minimum: number | undefined, maximum: number | undefined): string[] {
  const bounds = [minimum, maximum].filter((bound) => bound !== undefined)
  const beyond = maximum !== undefined ? maximum + 1 : minimum !== undefined ? minimum - 1 : undefined
  const numbers = [...bounds, ...(beyond === undefined ? [] : [beyond])].map(String)
  // JavaScript writes very large and very small numbers with an exponent: an example of something else.
  return bounds.length === 0 ? ['12'] : numbers.filter((number) => !number.includes('e'))
}

/** A digit more than the scale allows. */
const tooFine = (scale: number | undefined) =>
  scale === undefined || scale > 6 ? [] : [`1.${'234567891'.slice(0, scale + 1)}`]

/** A day in the format, one that does not exist, and one with its time, as many exports write it. */
function dateExamples(format: string): string[] {
  const parsed = parseDateFormat(format)
  if (parsed === null) return []
  const day = writeDate(parsed, 2024, 12, 31)
  return [day, writeDate(parsed, 2024, 2, 31), `${day} 08:30`]
}

/** The first value, and the same in the other case. */
function listExamples(options: readonly string[]): string[] {
  const [first] = options
  const lower = first.toLowerCase()
  return [first, first === lower ? first.toUpperCase() : lower].filter((value) => value.length <= 80)
}
