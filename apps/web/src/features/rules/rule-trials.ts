import { fieldToBody } from '@veridict/contract/api/wire-field'
import { ruleFormMessages as texts } from '@veridict/contract/messages/row-rules'
import { testColumns } from '@veridict/contract/model/row-rule'
import { checkFile } from '#workers/file-workers.ts'
import { browserPlatform } from '#workers/browser-platform.ts'
import type { CheckedVerdict } from '#workers/worker-messages.ts'
import {
  bookWith,
  type PlacedFaults,
  placeFaults,
  type RuleDraft,
  ruleOf,
  type RuleValues,
} from './rule-values.ts'

/** What trying a rule gives: a sentence, and what else is to be said. */
export type TrialResult = { tone: 'good' | 'bad' | 'quiet'; text: string; details: string[] }

const today = () => new Date().toISOString().slice(0, 10)
const platform = () => browserPlatform(new Date().getFullYear())

/** Checks what is in the form as the server does. The faults are by their places; `{}` if there are none. */
export async function findFaults(draft: RuleDraft): Promise<PlacedFaults> {
  const { checkRuleBook } = await import('@veridict/engine/check-rule-book')
  // The other rules were checked when they were saved.
  const { blankTexts, lists } = draft.book
  const alone = { ...draft, book: { rules: [], exempt: null, blankTexts, lists } }
  const checked = checkRuleBook({ ...alone.book, ...bookWith(alone) }, draft.fields, platform())
  if (checked.ok) return {}
  return placeFaults(Object.fromEntries(checked.faults.map(({ key, message }) => [key, [message]])), alone)
}

/** Tries the draft on a row or a file. */
export async function tryRule(
  draft: RuleDraft,
  tried: Readonly<Record<string, string>> | File,
  signal: AbortSignal,
): Promise<TrialResult> {
  const read = { ...draft, values: triedValues(draft.values) }
  const faults = await findFaults(read)
  if (Object.keys(faults).length > 0) return { tone: 'quiet', text: texts.tryIncomplete, details: [] }
  return tried instanceof File ? tryFile(read, tried, signal) : tryRow(read, tried)
}

const RULE = 'Rule'

/** A rule as it is tried: in force, whatever else is said about it. A file is read again only for another. */
export const triedValues = (values: RuleValues): RuleValues => ({
  ...values,
  name: RULE,
  severity: 'error',
  from: '',
  description: '',
})

/** Is not met by a row that the condition does not ask. */
const CONDITION = 'Condition'

/** The fields that the rule reads. */
export const readFields = ({ fields, values }: Pick<RuleDraft, 'fields' | 'values'>) => {
  const names = new Set([...values.when, ...values.then, ...values.otherwise].flatMap(testColumns))
  return fields.filter(({ name }) => names.has(name))
}

async function tryRow(draft: RuleDraft, row: Readonly<Record<string, string>>): Promise<TrialResult> {
  const { rowTrial } = await import('@veridict/engine/try-row')
  const rule = ruleOf(draft.values)
  const { when, then, otherwise = [] } = rule
  const [asked] = draft.values.when
  // No value is one of none. The column is one of the condition, so that both are skipped together.
  const never = { column: asked && testColumns(asked)[0], is: 'oneOf' as const, values: [] }
  const condition = { ...rule, name: CONDITION, then: [], otherwise: [never] }
  const rules = when === undefined ? [rule] : [rule, condition]
  // The exemption may be about columns that are not typed in.
  const book = { ...draft.book, rules, exempt: null, day: today() }
  const trial = await rowTrial(readFields(draft), book, platform())
  const { errors } = trial(row)
  const of = (name: string | undefined) => errors.filter((error) => error.rule === name)
  const ofCells = of(undefined).map(({ label, error }) => `${label}: ${error}`)
  if (ofCells.length > 0) return { tone: 'quiet', text: texts.cellErrorsFirst, details: ofCells }
  const unmet = of(RULE).map(({ error }) => error)
  if (unmet.length > 0) return { tone: 'bad', text: texts.unmet, details: unmet }
  const demanded = of(CONDITION).length > 0 ? otherwise : then
  return demanded.length > 0
    ? { tone: 'good', text: texts.met, details: [] }
    : { tone: 'quiet', text: texts.notAsked, details: [] }
}

/** Most rows of a file that are listed. */
const MOST_ROWS = 10

async function tryFile(
  { values, book, fields }: RuleDraft,
  file: File,
  signal: AbortSignal,
): Promise<TrialResult> {
  const dictionary = {
    ...book,
    rules: [ruleOf(values)],
    fields: fields.map((field) => {
      const { itemName: columnName, ruleConfig: ruleConfigJson, ...wire } = fieldToBody(field)
      return { ...wire, columnName, ruleConfigJson }
    }),
    currentYear: new Date().getFullYear(),
    today: today(),
  }
  const verdict = await new Promise<CheckedVerdict>((onVerdict, reject) => {
    const request = { file, dictionary: new Blob([JSON.stringify({ value: dictionary })]), signal }
    checkFile({ ...request, onVerdict, onProgress: () => {}, onChecksum: () => {} }).catch(reject)
  })
  if (verdict.kind === 'fileProblem')
    return { tone: 'quiet', text: verdict.problem.message, details: verdict.problem.details }
  const cause = verdict.kind === 'rowErrors' && verdict.causes.find(({ rule }) => rule === RULE)
  const text = texts.rowsMet(verdict.recordsCount, cause ? cause.rows : 0)
  if (!cause) return { tone: 'good', text, details: [] }
  const { rows } = verdict.causeRows.find((of) => of.cause === cause.id)!
  const details = rows.slice(0, MOST_ROWS).map(({ rowNumber, columnValidationErrors: errors }) => {
    const unmet = errors.filter(({ rule }) => rule === RULE)
    return `Row ${rowNumber}: ${unmet.map(({ error }) => error).join(' ')}`
  })
  return { tone: 'bad', text, details }
}
