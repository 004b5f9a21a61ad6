import { foldedMarks } from '#likeness/folded-text.ts'
import { monthNamed } from '#likeness/month-names.ts'
import known from '#known/families.json' with { type: 'json' }

const CODE = '(?<code>\\d{1,4}|[a-z]\\d{0,3}|[a-z]{2}\\d{1,3})'
/** A label that is no number and no range. */
const LABEL = '(?<label>[^\\d\\s()[\\]][^()[\\]]*[^\\s()[\\]])'
const CODE_FIRST = new RegExp(`^${CODE}(?:\\s*[:=|)]\\s*|\\s+[-\\u2013]\\s+|\\.\\s+)${LABEL}$`, 'i')
const CODE_AT_END = new RegExp(`(?:^|\\s)${CODE}$`, 'i')
const CODE_LAST = new RegExp(`^${LABEL}\\s*[([]${CODE}[)\\]]$`, 'i')

/** The parts of "1 - Open" and "Open (1)"; null for another text. */
export function codeAndLabel(text: string): { code: string; label: string } | null {
  const found = /[:=|)\]]|[.\u2013-]\s/.test(text) ? (CODE_FIRST.exec(text) ?? CODE_LAST.exec(text)) : null
  return found === null ? null : { code: found.groups!.code, label: found.groups!.label }
}

const MONTHS = 12
const MONTH_NUMBER = /^(?:0?[1-9]|1[0-2])$/
/** Options that a list must have of one family, and those that it may have beside them, such as Other. */
const FEWEST_OF_FAMILY = 3
const MOST_OTHERS = 2

/** For a text the numbers of its meanings in a family. */
type Meanings = (text: string) => readonly number[]

const CODE_OF_FAMILY = /^(?:[A-Z]{2,3}|[A-Z]|\dXL|X+L)$/

/** A code keeps its capitals, as "in" and "no" are words. */
function nameKey(text: string): string {
  const code = text.replaceAll('.', '')
  return CODE_OF_FAMILY.test(code) ? code : `.${foldedMarks(text)}`
}

function meaningsOf(names: readonly string[]): Meanings {
  const meanings = new Map<string, number[]>()
  for (const [index, namesOfOne] of names.entries())
    for (const name of namesOfOne.split('|')) {
      const key = nameKey(name)
      meanings.set(key, [...(meanings.get(key) ?? []), index])
    }
  return (text) => meanings.get(nameKey(text)) ?? []
}

/**
 * Countries as in ISO 3166-1, currencies as in ISO 4217, states of the United States and provinces of Canada,
 * sizes of clothes, days of the week. Indexed when a list first needs them: all take a young process 3 ms.
 */
const families = Object.values(known).map((names) => {
  let folded: string | undefined
  let meanings: Meanings | undefined
  return {
    /** Whether one of these folded texts is a name, or a code in any letter case. */
    hasOneOf: (texts: readonly string[]): boolean => {
      const all = (folded ??= `|${foldedMarks(names.join('|'))}|`)
      return texts.some((text) => all.includes(`|${text}|`))
    },
    meanings: (text: string) => (meanings ??= meaningsOf(names))(text),
  }
})

const monthMeanings: Meanings = (text) => {
  const month = monthNamed(text.replace(/\.$/, ''))
  return month === 0 ? [] : [month]
}

/** The options of a list by their meaning in a family; null where the list is not of that family. */
function optionsOf(meanings: Meanings, options: readonly string[]): Map<number, string> | null {
  const byMeaning = new Map<number, string>()
  let others = 0
  for (const option of options) {
    const [meaning, ...further] = meanings(option)
    if (meaning === undefined || further.length > 0) others++
    else if (byMeaning.has(meaning)) return null
    else byMeaning.set(meaning, option)
    // Most lists end here, after three options: a file can have thousands of lists.
    if (others > MOST_OTHERS) return null
  }
  return byMeaning.size >= FEWEST_OF_FAMILY ? byMeaning : null
}

export type OptionNames = {
  /** By another name: DE for Germany, "1 - Low" for Low or 1, 1 for Low described as "1 = Low". Else null. */
  optionNamed(text: string): string | null
  /** Whether a text names what the list leaves out: Ireland is no slip for Iceland, and SE none for ES. */
  isOtherName(text: string): boolean
  /** What the description says that an option means; empty where it does not. */
  meaningOf(option: string): string
}

const noNames: OptionNames = { optionNamed: () => null, isOtherName: () => false, meaningOf: () => '' }

export function optionNames(options: readonly string[], description: string): OptionNames {
  const definitions = description === '' ? [] : definitionsIn(description)
  const described = describedLabels(options, definitions)
  const own = ownNames(options, described, describedCodes(options, definitions))
  // A list of a family has one of its names among these.
  const first = options.slice(0, MOST_OTHERS + 1).map(foldedMarks)
  const possible = families.filter((family) => family.hasOneOf(first)).map(({ meanings }) => meanings)
  const found = [monthMeanings, ...possible].flatMap((ofFamily) => {
    const byMeaning = optionsOf(ofFamily, options)
    return byMeaning === null ? [] : [{ ofFamily, byMeaning }]
  })
  if (own.size === 0 && described.length === 0 && found.length === 0) return noNames
  const months = found.find(({ ofFamily }) => ofFamily === monthMeanings)?.byMeaning
  return {
    optionNamed(text) {
      const ofList = own.get(foldedMarks(text))
      if (ofList !== undefined) return ofList
      if (months?.size === MONTHS && MONTH_NUMBER.test(text)) return months.get(Number(text))!
      const meant = found.flatMap(({ ofFamily, byMeaning }) =>
        ofFamily(text).flatMap((meaning) => byMeaning.get(meaning) ?? []),
      )
      return meant.length === 1 ? meant[0] : null
    },
    isOtherName: (text) =>
      [text, text.toUpperCase()].some((name) => found.some(({ ofFamily }) => ofFamily(name).length > 0)),
    meaningOf: (option) => described.find((meaning) => meaning.option === option)?.label ?? '',
  }
}

type NamedOption = { option: string; label: string }

/** What the options and the description define, by its fold; null where two options have it. */
function ownNames(
  options: readonly string[],
  described: readonly NamedOption[],
  codes: readonly NamedOption[],
): Map<string, string | null> {
  const names = new Map<string, string | null>()
  const add = (name: string, option: string) => {
    const key = foldedMarks(name)
    names.set(key, names.has(key) && names.get(key) !== option ? null : option)
  }
  for (const { option, code, label } of labelledOptions(options)) {
    add(code, option)
    add(label, option)
  }
  if (described.length >= FEWEST_LABELLED)
    for (const { option, label } of described)
      for (const name of [label, ...namesIn(label)]) add(name, option)
  if (codes.length >= FEWEST_LABELLED) for (const { option, label } of codes) add(label, option)
  // It is that option.
  if (names.size > 0) for (const option of options) names.delete(foldedMarks(option))
  names.delete('')
  return names
}

/** The options of a list in which nearly all have a code and a label; none of another list. */
function labelledOptions(options: readonly string[]): { option: string; code: string; label: string }[] {
  const labelled = []
  for (const [index, option] of options.entries()) {
    const parts = codeAndLabel(option)
    if (parts !== null) labelled.push({ option, ...parts })
    else if (index - labelled.length >= MOST_OTHERS) return []
  }
  return labelled.length >= FEWEST_LABELLED ? labelled : []
}

/** Unknown and missing for "unknown/missing". "Not late or paid" may be neither, and km/h is one name. */
function namesIn(label: string): string[] {
  const names = label.split(/\s*\/\s*|\s+(?:or|oder|ou)\s+/i)
  const isOne = /^(?:no|not|non|neither|without|kein|nicht|pas|sans)\b/i.test(label)
  return isOne || names.some(({ length }) => length < SHORTEST_NAME) ? [] : names
}

const SHORTEST_NAME = 4
const FEWEST_LABELLED = 2
const LONGEST_LABEL = 40
const CONJUNCTION = '(?:and|or|und|oder|et|ou|y|o)'
/** Between what a description says of two options. Not the signs in 10,000 and 12.5. */
const CLAUSE_END = new RegExp(`[;()\\n]|[,.](?!\\d)|\\s${CONJUNCTION}(?=\\s\\S+\\s*[=:])`)
const MEANS = /\s*[=:]\s*|\s[-\u2013]\s/
const IN_BRACKETS = /(?<label>[^,;.:=()\n]+)\((?<option>[^()]+)\)/g
const AT_START = new RegExp(`^(?:${CONJUNCTION}|either|entweder)\\s`, 'i')

type Definition = { name: string; label: string }

/** What a description defines: "1 = low, 2 = high", "A: active; I: inactive", "male (M)". */
function definitionsIn(description: string): Definition[] {
  const clauses = description.split(CLAUSE_END).map((clause) => clause.split(MEANS))
  const pairs = clauses.filter((parts) => parts.length > 1).map((parts) => [parts.at(-2)!, parts.at(-1)!])
  const inBrackets = [...description.matchAll(IN_BRACKETS)].map(({ groups }) => [
    groups!.option,
    groups!.label,
  ])
  return [...pairs, ...inBrackets]
    .map(([name, label]) => ({ name: name.trim(), label: label.trim().replace(AT_START, '') }))
    .filter(({ label }) => label !== '' && label.length <= LONGEST_LABEL)
}

const describedLabels = (options: readonly string[], definitions: readonly Definition[]): NamedOption[] =>
  definitions.flatMap(({ name, label }) => {
    const option = options.find((each) => name === each || name.endsWith(` ${each}`))
    return option === undefined || label.length < 2 ? [] : [{ option, label }]
  })

/** The codes that a description gives to options: "1 = Low, 2 = High". */
const describedCodes = (options: readonly string[], definitions: readonly Definition[]): NamedOption[] =>
  definitions.flatMap(({ name, label }) => {
    const option = options.find((each) => each.toLowerCase() === label.toLowerCase())
    const code = CODE_AT_END.exec(name)?.groups!.code
    return option === undefined || code === undefined ? [] : [{ option, label: code }]
  })
