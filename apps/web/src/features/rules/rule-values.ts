import { rowRuleMessages, ruleFormMessages } from '@veridict/contract/messages/row-rules'
import type { Field } from '@veridict/contract/model/field'
import {
  type Condition,
  conditionTests,
  type RowRule,
  type RuleBook,
  type RuleTest,
  type Severity,
  type TestKind,
} from '@veridict/contract/model/row-rule'
import {
  conditionText,
  demandsText,
  formPieces,
  freeName,
  hasProposedName,
  type Parts,
  proposedName,
  ruleSentence,
  type TestForm,
} from '@veridict/contract/notation/rule-sentence'

/** How the tests of a condition are joined: by 'and' or by 'or'. */
export type Joint = 'all' | 'any'
/** The parts of a rule that are lists of tests. */
export type TestPart = 'when' | 'then' | 'otherwise'

/** What the form of a rule, or of the exemption, holds. Tests may lack a column or a value: '' or []. */
export type RuleValues = { [Part in TestPart]: RuleTest[] } & {
  name: string
  description: string
  severity: Severity
  /** '' for at once. */
  from: string
  joint: Joint
}

/** What is edited: a rule by its name, null for a new one; or the exemption. */
export type EditedRule = { kind: 'rule'; name: string | null } | { kind: 'exemption' }

/** What is in the form, and what it belongs to. */
export type RuleDraft = { edited: EditedRule; values: RuleValues; book: RuleBook; fields: readonly Field[] }

export const emptyTest: RuleTest = { column: '', is: 'filled' }

type UnnamedRule = Pick<RowRule, 'when' | 'then' | 'otherwise'> & Partial<RowRule>

export const valuesOfRule = ({ when, otherwise = [], ...rule }: UnnamedRule): RuleValues => ({
  name: '',
  description: '',
  severity: 'error',
  from: '',
  ...rule,
  joint: when !== undefined && 'any' in when ? 'any' : 'all',
  when: [...conditionTests(when)],
  otherwise,
})

export const emptyRule = valuesOfRule({ then: [emptyTest] })

/** The values of what is edited, undefined if it is gone. A proposed name is left out and proposed again. */
export function valuesOfEdited(edited: EditedRule, { rules, exempt }: RuleBook): RuleValues | undefined {
  if (edited.kind === 'exemption')
    return valuesOfRule({ then: [], ...(exempt ?? { when: { all: [emptyTest] } }) })
  const rule = rules.find(({ name }) => name === edited.name)
  if (rule === undefined) return undefined
  return valuesOfRule(hasProposedName(rule) ? { ...rule, name: '' } : rule)
}

const conditionOf = ({ joint, when }: Pick<RuleValues, 'joint' | 'when'>): Condition | undefined =>
  when.length === 0 ? undefined : joint === 'any' ? { any: when } : { all: when }

export function ruleOf({ joint, when, otherwise, description, from, ...values }: RuleValues): RowRule {
  const condition = conditionOf({ joint, when })
  return {
    ...values,
    ...(description.trim() !== '' && { description: description.trim() }),
    ...(from !== '' && { from }),
    ...(condition && { when: condition }),
    ...(otherwise.length > 0 && { otherwise }),
  }
}

/** The part of the book that changes, with what is edited in its place; a new rule comes last. */
export function bookWith({ edited, values, book }: Omit<RuleDraft, 'fields'>): Partial<RuleBook> {
  const rule = ruleOf(values)
  if (edited.kind === 'rule') return { rules: book.rules.toSpliced(placeOf(edited.name, book), 1, rule) }
  const { when, description } = rule
  return { exempt: when === undefined ? null : { when, ...(description !== undefined && { description }) } }
}

function placeOf(edited: string | null, { rules }: RuleBook): number {
  const place = rules.findIndex(({ name }) => name === edited)
  return place < 0 ? rules.length : place
}

/** Where the form shows a fault: an input, or a test by its place, such as `then[0]`. */
export type PlacedFaults = Readonly<Record<string, string>>

/**
 * The faults of a book by their places in the form, those of its other parts under 'book'; without the name
 * of the rule, which the form shows.
 */
export function placeFaults(
  errors: Readonly<Record<string, readonly string[]>>,
  { edited, values, book }: Omit<RuleDraft, 'fields'>,
): PlacedFaults {
  const place = edited.kind === 'rule' ? placeOf(edited.name, book) : 0
  const [own, prefix] =
    edited.kind === 'rule'
      ? [`rules[${place}]`, rowRuleMessages.ofRule(values.name, place, '')]
      : ['exempt', rowRuleMessages.ofExemption('')]
  const placed = Object.entries(errors).map(([key, [message]]) => {
    const input = key.slice(own.length + 1).replace(/^when\.(all|any)/, 'when') || 'then'
    const fault = message.startsWith(prefix) ? message.slice(prefix.length) : message
    return [key === own || key.startsWith(`${own}.`) ? input : 'book', fault]
  })
  return Object.fromEntries(placed)
}

/** A name for what is in the form; '' while it is not complete. */
export function proposedNameOf(values: RuleValues, taken: readonly string[]): string {
  const isComplete = values.then.length + values.otherwise.length > 0
  if (!isComplete || sentenceOf('rule', values).includes(HOLE)) return ''
  return freeName(proposedName(ruleOf(values)), taken)
}

/** Stands in the sentence for what is not chosen yet. */
const HOLE = '…'

/** A part of a test with holes where something is missing. Among values, `""` is a blank and no hole. */
function withHoles<T>(part: T, key = ''): T {
  if (part === '') return (key === 'item' ? part : HOLE) as T
  if (Array.isArray(part) && part.length === 0) return (key === 'rows' ? [[HOLE]] : [HOLE]) as T
  if (Array.isArray(part)) return part.map((item) => withHoles(item, 'item')) as T
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, withHoles(value, name)])) as T
}

/** What the form says by now, with holes where something is missing. */
export function sentenceOf(kind: EditedRule['kind'], values: RuleValues): string {
  const [when, then, otherwise] = (['when', 'then', 'otherwise'] as const).map((part) =>
    values[part].map((test) => withHoles(test)),
  )
  const condition = conditionOf({ ...values, when })
  if (kind === 'exemption') return ruleFormMessages.exemptSentence(condition && conditionText(condition))
  const isEmpty = then.length + otherwise.length === 0
  return ruleSentence({ when: condition, then: isEmpty ? [withHoles(emptyTest)] : then, otherwise })
}

/** A form in a drop-down, without its column and the values that follow: 'is one of'. */
export const formLabel = (says: string): string =>
  says
    .replace(/^\{\w+\} /, '')
    .replace('{columns}', 'these')
    .replace('{column}', 'it')
    .replace(/ \{\w+\}$/, '')
    .replace(/\{\w+\}/g, HOLE)

/** `notEqual` is no test for a constant: one of `noneOf` does not demand that the cell is filled. */
const emptySlots = (is: TestKind): Parts => ({
  values: [],
  rows: [],
  than: is === 'notEqual' ? { column: '' } : { value: '' },
})

/** A test with another form: its columns and the inputs that both have stay. */
export function changeForm(test: RuleTest, { is, says }: TestForm): RuleTest {
  const names = 'columns' in test ? test.columns : [test.column].filter((name) => name !== '')
  const given: Parts = { ...emptySlots(is), ...test }
  const slots = formPieces(says).flatMap(({ slot }) => slot ?? [])
  const others = slots.filter((slot) => !/^(column|columns|only)$/.test(slot))
  const own = slots.includes('column') ? { column: names[0] ?? '' } : { columns: names }
  return { ...own, is, ...Object.fromEntries(others.map((slot) => [slot, given[slot] ?? ''])) } as RuleTest
}

/** What another person saved in a part of the form, in words. */
export const ruleWord = (name: keyof RuleValues, value: unknown): string =>
  Array.isArray(value) ? demandsText(value as RuleTest[]) : String(value)

/** Rows as lines of text, their values apart by tabs (as a spreadsheet copies them) or semicolons. */
export const rowsOfText = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(line.includes('\t') ? '\t' : ';').map((value) => value.trim()))

export const textOfRows = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.join(row.some((value) => value.includes(';')) ? '\t' : '; ')).join('\n')
