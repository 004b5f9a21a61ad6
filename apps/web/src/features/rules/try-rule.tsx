import { Autocomplete, Loader, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCircleCheck, IconCircleMinus, IconCircleX } from '@tabler/icons-react'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { ruleFormMessages as texts } from '@veridict/contract/messages/row-rules'
import type { Field } from '@veridict/contract/model/field'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { testText } from '@veridict/contract/notation/rule-sentence'
import { useState } from 'react'
import { FormAside } from '#ui/forms/form-page.tsx'
import { type EditedRule, ruleColumns, type RuleValues, type TestPart } from './rule-values.ts'
import { MOST_OPTIONS } from './slot-inputs.tsx'
import { TryFile } from './try-file.tsx'
import classes from './try-rule.module.css'
import { type RowOutcome, useRuleTrial } from './use-rule-engine.ts'

const REST_MILLISECONDS = 250

export type TryRuleProps = {
  edited: EditedRule
  values: RuleValues
  book: RuleBook
  fields: readonly Field[]
}

/** Tries a row that is typed in, or those of a file, against what is in the form. */
export function TryRule({ edited, values, book, fields }: TryRuleProps) {
  const [source, setSource] = useState<'row' | 'file'>('row')
  const [rested] = useDebouncedValue(values, REST_MILLISECONDS)
  const { trial, hasFailed } = useRuleTrial(edited, rested, book, fields)
  // What was typed stays while the rule changes.
  const [row, setRow] = useState<Record<string, string>>({})
  const named = ruleColumns(rested)
  const asked = fields.filter(({ name }) => named.has(name))
  return (
    <FormAside title={texts.tryTitle}>
      {edited.kind === 'rule' && (
        <SegmentedControl
          fullWidth
          size="sm"
          aria-label={texts.tryTitle}
          data={[
            { value: 'row', label: texts.tryRow },
            { value: 'file', label: texts.tryFile },
          ]}
          value={source}
          onChange={(chosen) => setSource(chosen as 'row' | 'file')}
        />
      )}
      {hasFailed ? (
        <p className={classes.quiet}>{fieldMessages.trialNotLoaded}</p>
      ) : trial === undefined ? (
        <Loader size="sm" role="status" aria-label="Loading" mt={14} />
      ) : trial.kind === 'incomplete' ? (
        <div role="status" className={classes.quiet}>
          {texts.tryIncomplete}
        </div>
      ) : source === 'file' ? (
        <TryFile values={rested} book={book} fields={fields} />
      ) : (
        <Row
          fields={asked}
          row={row}
          outcome={asked.some(({ name }) => (row[name] ?? '') !== '') ? trial.check(row) : null}
          kind={edited.kind}
          values={rested}
          onChange={(name, text) => setRow({ ...row, [name]: text })}
        />
      )}
    </FormAside>
  )
}

type RowProps = {
  fields: readonly Field[]
  row: Readonly<Record<string, string>>
  /** null until something is typed. */
  outcome: RowOutcome | null
  kind: EditedRule['kind']
  values: RuleValues
  onChange: (name: string, text: string) => void
}

function Row({ fields, row, outcome, kind, values, onChange }: RowProps) {
  return (
    <>
      <div className={classes.cells}>
        {fields.map(({ name, rule }) => {
          const error = outcome?.cellErrors.find(({ label }) => label === name)?.error
          const cell = {
            size: 'sm',
            label: name,
            value: row[name] ?? '',
            error,
            autoComplete: 'off',
          } as const
          return rule.type === 'list' && rule.separator === undefined ? (
            <Autocomplete
              key={name}
              {...cell}
              data={rule.options}
              limit={MOST_OPTIONS}
              onChange={(text) => onChange(name, text)}
            />
          ) : (
            <TextInput
              key={name}
              {...cell}
              placeholder={rule.type === 'date' ? rule.format : undefined}
              onChange={(event) => onChange(name, event.currentTarget.value)}
            />
          )
        })}
      </div>
      <div role="status" className={classes.verdict}>
        {outcome === null ? (
          <p className={classes.quiet}>{texts.tryRowHint}</p>
        ) : (
          <>
            <Verdict outcome={outcome} kind={kind} values={values} />
            <Tests outcome={outcome} values={values} />
          </>
        )}
      </div>
    </>
  )
}

const icon = { size: 19, stroke: 1.8, 'aria-hidden': true } as const

function Verdict({ outcome, kind, values }: Pick<RowProps, 'kind' | 'values'> & { outcome: RowOutcome }) {
  const { tone, text } = verdictOf(outcome, kind, values)
  const Icon = { good: IconCircleCheck, bad: IconCircleX, quiet: IconCircleMinus }[tone]
  return (
    <p className={classes.line} data-tone={tone}>
      <Icon {...icon} />
      <strong>{text}</strong>
    </p>
  )
}

export type RowVerdict = { tone: 'good' | 'bad' | 'quiet'; text: string }

/** What the row is told as a whole. */
export function verdictOf(
  { cellErrors, unmet }: RowOutcome,
  kind: EditedRule['kind'],
  values: RuleValues,
): RowVerdict {
  if (cellErrors.length > 0) return { tone: 'quiet', text: texts.cellErrorsFirst }
  const holds = !unmet.has('when')
  if (kind === 'exemption') return { tone: 'quiet', text: holds ? texts.exempt : texts.notExempt }
  const part: TestPart = holds ? 'then' : 'otherwise'
  if (values[part].length === 0)
    return { tone: 'quiet', text: holds ? texts.nothingDemanded : texts.notAsked }
  const isMet = values[part].every((_, index) => !unmet.has(`${part}[${index}]`))
  return isMet ? { tone: 'good', text: texts.met } : { tone: 'bad', text: texts.unmet }
}

/** Each test with its own result: the condition decides which of the others are demanded. */
function Tests({ outcome: { cellErrors, unmet }, values }: { outcome: RowOutcome; values: RuleValues }) {
  if (cellErrors.length > 0) return null
  const demanded: TestPart = unmet.has('when') ? 'otherwise' : 'then'
  const shown: TestPart[] = ['when', demanded]
  return (
    <ul className={classes.tests}>
      {shown.flatMap((part) =>
        values[part].map((test, index) => {
          const error = unmet.get(`${part}[${index}]`)
          const tone = error === undefined ? 'good' : part === 'when' ? 'quiet' : 'bad'
          const Icon = { good: IconCircleCheck, bad: IconCircleX, quiet: IconCircleMinus }[tone]
          return (
            <li key={`${part}${index}`} className={classes.line} data-tone={tone}>
              <Icon {...icon} />
              <span>
                {part !== 'when' && error !== undefined
                  ? error
                  : testText(test, part === 'when' ? 'when' : 'then')}
              </span>
            </li>
          )
        }),
      )}
    </ul>
  )
}
