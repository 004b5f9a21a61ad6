import { nameLimits } from '@veridict/contract/limits'
import { rowRuleMessages, ruleFormMessages } from '@veridict/contract/messages/row-rules'
import type { Field } from '@veridict/contract/model/field'
import {
  conditionTests,
  type Condition,
  type RowRule,
  type RuleBook,
  type RuleTest,
  type Severity,
  testColumns,
  type TestKind,
} from '@veridict/contract/model/row-rule'
import {
  conditionText,
  demandsText,
  demandText,
  formPieces,
  type Parts,
  ruleSentence,
  type TestForm,
} from '@veridict/contract/notation/rule-sentence'

/** What the form of a rule, or of the exemption, holds. Tests may lack a column or a value: '' or []. */
export type RuleValues = {
  name: string
  description: string
  severity: Severity
  /** '' for at once. */
  from: string
  joint: 'all' | 'any'
  when: RuleTest[]
  then: RuleTest[]
  otherwise: RuleTest[]
}
/** The parts of a rule that are lists of tests. */
export const testParts = ['when', 'then', 'otherwise'] as const
export type TestPart = (typeof testParts)[number]

/** What is edited: a rule by its name, null for a new one; or the exemption. */
export type EditedRule = { kind: 'rule'; name: string | null } | { kind: 'exemption' }

export const emptyTest: RuleTest = { column: '', is: 'filled' }

export const emptyRule: RuleValues = {
  name: '',
  description: '',
  severity: 'error',
  from: '',
  joint: 'all',
  when: [],
  then: [emptyTest],
  otherwise: [],
}

export const valuesOfRule = ({
  description = '',
  from = '',
  when,
  otherwise = [],
  ...rule
}: RowRule): RuleValues => ({
  ...rule,
  description,
  from,
  joint: when !== undefined && 'any' in when ? 'any' : 'all',
  when: [...conditionTests(when)],
  otherwise,
})

/** The values of what is edited; undefined if the book does not have it (any more). */
export function valuesOfEdited(edited: EditedRule, { rules, exempt }: RuleBook): RuleValues | undefined {
  if (edited.kind === 'rule') {
    const rule = rules.find(({ name }) => name === edited.name)
    return rule && valuesOfRule(rule)
  }
  const { when, description } = exempt ?? { when: { all: [emptyTest] } }
  return valuesOfRule({ name: '', severity: 'error', then: [], when, description })
}

export const conditionOf = ({ joint, when }: Pick<RuleValues, 'joint' | 'when'>): Condition =>
  joint === 'any' ? { any: when } : { all: when }

export function ruleOf(values: RuleValues): RowRule {
  const { name, description, severity, from, when, then, otherwise } = values
  return {
    name,
    ...(description.trim() !== '' && { description: description.trim() }),
    severity,
    ...(from !== '' && { from }),
    ...(when.length > 0 && { when: conditionOf(values) }),
    then,
    ...(otherwise.length > 0 && { otherwise }),
  }
}

/** The part of the book that changes, with what is edited in its place; a new rule comes last. */
export function bookWith(edited: EditedRule, values: RuleValues, { rules }: RuleBook): Partial<RuleBook> {
  if (edited.kind === 'exemption') {
    const { description } = ruleOf(values)
    const isNone = values.when.length === 0
    return { exempt: isNone ? null : { when: conditionOf(values), ...(description && { description }) } }
  }
  const place = placeOf(edited, rules)
  return { rules: rules.toSpliced(place, 1, ruleOf(values)) }
}

const placeOf = (edited: EditedRule, rules: readonly RowRule[]): number => {
  const place = edited.kind === 'rule' ? rules.findIndex(({ name }) => name === edited.name) : -1
  return place < 0 ? rules.length : place
}

/** Where the form shows a fault: an input, or a test by its place, such as `then[0]`. */
export type PlacedFaults = Record<string, string>

/**
 * The refusals of a book by their places in the form; those of other parts of the book are under 'book'. The
 * name of the rule, which its form shows anyway, is left out.
 */
export function placeFaults(
  errors: Readonly<Record<string, readonly string[]>>,
  edited: EditedRule,
  { name }: RuleValues,
  { rules }: RuleBook,
): PlacedFaults {
  const place = placeOf(edited, rules)
  const own = edited.kind === 'rule' ? `rules[${place}]` : 'exempt'
  const prefix =
    edited.kind === 'rule' ? rowRuleMessages.ofRule(name, place, '') : rowRuleMessages.ofExemption('')
  const placed: PlacedFaults = {}
  for (const [key, [message]] of Object.entries(errors)) {
    const at = key === own || key.startsWith(`${own}.`) ? key.slice(own.length + 1) : null
    const input = at === null ? 'book' : at.replace(/^when\.(all|any)/, 'when') || 'then'
    placed[input] ??= message.startsWith(prefix) ? message.slice(prefix.length) : message
  }
  return placed
}

/** A name for a rule without one: what it demands first, and when. */
export function proposedName(values: RuleValues, taken: readonly string[]): string {
  const [test] = values.then.length > 0 ? values.then : values.otherwise
  if (test === undefined || !isWhole(test)) return ''
  const condition =
    values.when.every(isWhole) && values.when.length > 0 ? ` if ${conditionText(conditionOf(values))}` : ''
  const words = `${demandText(test)}${condition}`.replaceAll('"', '')
  const name = words.length <= NAME_LENGTH ? words : `${words.slice(0, NAME_LENGTH).replace(/\s+\S*$/, '')}…`
  const isFree = (free: string) => !taken.includes(free)
  return [name, ...taken.map((_, index) => `${name} (${index + 2})`), `${name} (new)`].find(isFree)!
}
/** Fits one line of the list. */
const NAME_LENGTH = Math.min(80, nameLimits.maxLength)

const isWhole = (test: RuleTest): boolean => !JSON.stringify(withHoles(test)).includes(`"${HOLE}"`)

/** Stands in the sentence for what is not chosen yet. */
export const HOLE = '…'

/** A part of a test with holes where something is missing. Among values, `""` is a blank and no hole. */
export function withHoles<T>(part: T, key = ''): T {
  if (part === '') return (key === 'item' ? part : HOLE) as T
  if (Array.isArray(part))
    return (
      part.length === 0 ? [key === 'rows' ? [HOLE] : HOLE] : part.map((item) => withHoles(item, 'item'))
    ) as T
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, withHoles(value, name)])) as T
}

/** What the form says by now, with holes where something is missing. */
export function sentenceOf(kind: EditedRule['kind'], values: RuleValues): string {
  const [when, then, otherwise] = testParts.map((part) => values[part].map((test) => withHoles(test)))
  const condition = when.length === 0 ? undefined : conditionOf({ ...values, when })
  if (kind === 'exemption') return ruleFormMessages.exemptSentence(condition && conditionText(condition))
  const isEmpty = then.length + otherwise.length === 0
  return ruleSentence({ when: condition, then: isEmpty ? [withHoles(emptyTest)] : then, otherwise })
}

/** A rule that the fields of a dictionary may well need; null if they have no columns for one. */
export function exampleRule(fields: readonly Field[]): RowRule | null {
  const choice = fields.findLast(({ rule }) => rule.type === 'list')
  const date = fields.filter(({ rule }) => rule.type === 'date')
  const [first, second] = fields
  const optional =
    fields.findLast((field) => field !== choice && !field.required) ??
    fields.find((field) => field !== choice)
  const shared = { name: '', severity: 'error' } as const
  if (choice?.rule.type === 'list' && optional !== undefined) {
    const when: Condition = {
      all: [{ column: choice.name, is: 'oneOf', values: [choice.rule.options.at(-1)!] }],
    }
    return { ...shared, when, then: [{ column: optional.name, is: 'filled' }] }
  }
  if (date.length > 1)
    return { ...shared, then: [{ column: date[1].name, is: 'atLeast', than: { column: date[0].name } }] }
  return second === undefined
    ? null
    : { ...shared, then: [{ columns: [first.name, second.name], is: 'someFilled' }] }
}

/** The fields that the rule reads, by name. */
export const ruleColumns = ({ when, then, otherwise }: RuleValues): ReadonlySet<string> =>
  new Set([...when, ...then, ...otherwise].flatMap((test) => testColumns(test)))

/** A form in a drop-down, without its column and the values that follow: 'is one of'. */
export const formLabel = (says: string): string =>
  says
    .replace(/^\{\w+\} /, '')
    .replace(/\{columns\}/, 'these')
    .replace(/\{column\}/, 'it')
    .replace(/ \{\w+\}$/, '')
    .replace(/\{\w+\}/g, HOLE)

/** Names of the inputs of a form, without its column. */
export const inputSlots = (says: string): string[] =>
  formPieces(says).flatMap(({ slot }) =>
    slot === undefined || /^(column|columns|only)$/.test(slot) ? [] : slot,
  )

/** A constant that must not be is one of `noneOf`: 'is not equal to' would also demand that it is filled. */
const emptySlots = (is: TestKind): Parts => ({
  values: [],
  rows: [],
  than: is === 'notEqual' ? { column: '' } : { value: '' },
})

/** A test with another form: its columns and the inputs that both have stay. */
export function changeForm(test: RuleTest, { is, says }: TestForm): RuleTest {
  const names = 'columns' in test ? test.columns : test.column === '' ? [] : [test.column]
  const isOfOne = says.includes('{column}')
  const given: Parts = test
  const slots = inputSlots(says).map((slot) => [slot, given[slot] ?? emptySlots(is)[slot] ?? ''])
  return {
    ...(isOfOne ? { column: names[0] ?? '' } : { columns: names }),
    is,
    ...Object.fromEntries(slots),
  } as RuleTest
}

/** What another person saved in a part of the form, in words. */
export const ruleWord = (name: keyof RuleValues, value: unknown): string => {
  if (name === 'when') return conditionText({ all: value as RuleTest[] })
  return name === 'then' || name === 'otherwise' ? demandsText(value as RuleTest[]) : String(value)
}

/** Rows as lines of text, their values apart by tabs (as a spreadsheet copies them) or semicolons. */
export const rowsOfText = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(line.includes('\t') ? '\t' : ';').map((value) => value.trim()))

export const textOfRows = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.join(row.some((value) => value.includes(';')) ? '\t' : '; ')).join('\n')
