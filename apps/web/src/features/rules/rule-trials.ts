import { fieldToBody } from '@veridict/contract/api/wire-field'
import { ruleFormMessages as texts } from '@veridict/contract/messages/row-rules'
import { conditionTests, testColumns } from '@veridict/contract/model/row-rule'
import { conditionText } from '@veridict/contract/notation/rule-sentence'
import { utcDay } from '@veridict/contract/notation/utc-day'
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

const quiet = (text: string, details: string[] = []): TrialResult => ({ tone: 'quiet', text, details })

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

export async function tryRule(
  draft: RuleDraft,
  tried: Readonly<Record<string, string>> | File,
  signal: AbortSignal,
): Promise<TrialResult> {
  const read = { ...draft, values: triedValues(draft.values) }
  const rowTrial = await preparedTrial(read)
  if (rowTrial === null) return quiet(texts.tryIncomplete)
  return tried instanceof File ? tryFile(read, tried, signal) : rowTrial(tried)
}

type RowTrial = (row: Readonly<Record<string, string>>) => TrialResult

/** The rule that was tried last: it is compiled once, and not for each key that is pressed in a row. */
let last: { draft: RuleDraft; trial: Promise<RowTrial | null> } | undefined

/** Tries rows; null for a draft that is not complete. */
function preparedTrial(draft: RuleDraft): Promise<RowTrial | null> {
  const isSame =
    last?.draft.book === draft.book &&
    last.draft.fields === draft.fields &&
    JSON.stringify(last.draft.values) === JSON.stringify(draft.values)
  if (!isSame) last = { draft, trial: prepareTrial(draft) }
  return last!.trial
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

/** Not met by a row that the condition does not ask, and by one that is not exempt. */
const CONDITION = 'Condition'
const ASKED = 'Asked'

/** The fields that the rule, and the exemption from it, read. */
export const readFields = ({ fields, values, book, edited }: RuleDraft) => {
  const exempt = edited.kind === 'rule' ? conditionTests(book.exempt?.when) : []
  const tests = [...values.when, ...values.then, ...values.otherwise, ...exempt]
  const names = new Set(tests.flatMap(testColumns))
  return fields.filter(({ name }) => names.has(name))
}

async function prepareTrial(draft: RuleDraft): Promise<RowTrial | null> {
  if (Object.keys(await findFaults(draft)).length > 0) return null
  const { rowTrial } = await import('@veridict/engine/try-row')
  const rule = ruleOf(draft.values)
  const { when, then, otherwise = [] } = rule
  const fields = readFields(draft)
  // No value is one of none.
  const never = { column: fields[0]!.name, is: 'oneOf' as const, values: [] }
  const asked = { ...rule, name: ASKED, when: undefined, then: [never], otherwise: [] }
  const condition = { ...rule, name: CONDITION, then: [], otherwise: [never] }
  const rules = when === undefined ? [asked, rule] : [asked, rule, condition]
  const exempt = draft.edited.kind === 'rule' ? draft.book.exempt : null
  const trial = await rowTrial(fields, { ...draft.book, rules, exempt, day: utcDay() }, platform())
  return (row) => {
    const { errors } = trial(row)
    const of = (name: string | undefined) => errors.filter((error) => error.rule === name)
    const ofCells = of(undefined).map(({ label, error }) => `${label}: ${error}`)
    if (ofCells.length > 0) return quiet(texts.cellErrorsFirst, ofCells)
    if (exempt !== null && of(ASKED).length === 0)
      return quiet(texts.exemptRow, [texts.exemptSentence(conditionText(exempt.when))])
    const unmet = of(RULE).map(({ error }) => error)
    if (unmet.length > 0) return { tone: 'bad', text: texts.unmet, details: unmet }
    const demanded = of(CONDITION).length > 0 ? otherwise : then
    if (demanded.length === 0) return quiet(texts.notAsked)
    return demanded.some(({ is }) => is === 'unique')
      ? quiet(texts.uniqueNeedsFile)
      : { tone: 'good', text: texts.met, details: [] }
  }
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
    today: utcDay(),
  }
  const verdict = await new Promise<CheckedVerdict>((onVerdict, reject) => {
    const request = { file, dictionary: new Blob([JSON.stringify({ value: dictionary })]), signal }
    checkFile({ ...request, onVerdict, onProgress: () => {}, onChecksum: () => {} }).catch(reject)
  })
  if (verdict.kind === 'fileProblem') return quiet(verdict.problem.message, verdict.problem.details)
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
