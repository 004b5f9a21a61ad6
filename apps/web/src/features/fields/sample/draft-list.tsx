import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { ruleListMessages } from '@veridict/contract/messages/row-rules'
import { counted, writeCount } from '@veridict/contract/notation/count'
import { memo, useEffect, useId, useState } from 'react'
import {
  choiceOf,
  type FieldValues,
  type InputErrors,
  typeChoices,
  typeOf,
} from '#features/fields/field-values.ts'
import { RuleOptions } from '#features/fields/options/rule-options.tsx'
import { useFieldForm } from '#features/fields/use-field-form.ts'
import { draftWords, type FieldDraft } from './field-drafts.ts'
import type { Sample } from './use-sample.ts'
import classes from './draft-list.module.css'
import { ActionButton } from '#ui/forms/action-button.tsx'

/** How many rows are shown at first, and added by each click: a browser draws them without a pause. */
const ROWS_AT_ONCE = 250

export function DraftList({ sample }: { sample: Sample }) {
  const { proposal, drafts, faults } = sample
  const [shown, setShown] = useState(ROWS_AT_ONCE)
  if (proposal === null) return null
  const included = drafts.filter(({ isIncluded }) => isIncluded).length
  // Faults are never hidden.
  const visible = faults.size > 0 ? drafts : drafts.slice(0, shown)
  return (
    <section className={classes.section} aria-label="Proposed fields">
      <header className={classes.head}>
        <Checkbox
          aria-label="Include all columns"
          checked={included === drafts.length}
          indeterminate={included > 0 && included < drafts.length}
          onChange={(event) => sample.includeAll(event.currentTarget.checked)}
        />
        <p>
          <b>{countOf(included, drafts.length)}</b> proposed from {rowsOf(proposal.recordsCount)}
          {sample.file?.name}
        </p>
      </header>
      {proposal.notes.length > 0 && (
        <ul className={classes.notes} aria-label="Notes">
          {proposal.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {faults.size > 0 && (
        <p className={classes.faults} role="alert">
          {faults.size === 1 ? 'One field needs' : `${writeCount(faults.size)} fields need`} to be put right
          before the data dictionary can be saved.
        </p>
      )}
      <ul className={classes.rows} aria-label="Fields">
        {visible.map((draft) => (
          <DraftRow
            key={draft.letter}
            draft={draft}
            faults={faults.get(draft.letter)}
            onChange={sample.change}
          />
        ))}
      </ul>
      {visible.length < drafts.length && (
        <div className={classes.more}>
          <ActionButton
            label={`Show more of ${writeCount(drafts.length)} fields`}
            variant="default"
            size="sm"
            onClick={() => setShown(shown + ROWS_AT_ONCE)}
          />
        </div>
      )}
      {sample.rules.length > 0 && <ProposedRules sample={sample} />}
    </section>
  )
}

const ProposedRules = ({ sample }: { sample: Sample }) => (
  <ul className={classes.rules} aria-label="Proposed rules">
    {sample.rules.map(({ name, sentence, fits }) => (
      <li key={name}>
        <Checkbox
          label={sentence}
          description={fits ? name : ruleListMessages.doesNotFit}
          disabled={!fits}
          checked={fits && !sample.rulesLeftOut.includes(name)}
          onChange={(event) => sample.includeRule(name, event.currentTarget.checked)}
        />
      </li>
    ))}
  </ul>
)

const countOf = (included: number, all: number): string =>
  included === all ? counted(all, 'field') : `${writeCount(included)} of ${writeCount(all)} fields`

/** null where the file describes rows and has none. */
const rowsOf = (count: number | null): string =>
  count === null ? '' : count === 1 ? 'one row of ' : `${writeCount(count)} rows of `

type DraftRowProps = {
  draft: FieldDraft
  faults: InputErrors | undefined
  onChange: (letter: string, changed: Partial<FieldDraft>) => void
}

const DraftRow = memo(function DraftRow({ draft, faults, onChange }: DraftRowProps) {
  const { letter, values, isIncluded } = draft
  const [isOpen, setIsOpen] = useState(false)
  const optionsId = useId()
  const { isFaulty, words } = draftWords(values)
  const changeValues = (changed: Partial<FieldValues>) =>
    onChange(letter, { values: { ...values, ...changed } })
  const changeType = (type: FieldValues['type']) => {
    changeValues({ type })
    // If the new type lacks a setting, the open row shows which, and its input.
    setIsOpen(draftWords({ ...values, type }).isFaulty)
  }
  return (
    <li className={classes.row} data-left-out={!isIncluded || undefined} aria-label={`Column ${letter}`}>
      <Checkbox
        className={classes.include}
        aria-label={`Include column ${letter}`}
        checked={isIncluded}
        onChange={(event) => onChange(letter, { isIncluded: event.currentTarget.checked })}
      />
      <span className={classes.letter} aria-hidden>
        {letter}
      </span>
      <TextInput
        className={classes.name}
        size="sm"
        aria-label="Field name"
        disabled={!isIncluded}
        value={values.name}
        error={isIncluded && faults?.name}
        onChange={(event) => changeValues({ name: event.currentTarget.value })}
      />
      <NativeSelect
        className={classes.type}
        size="sm"
        aria-label="Type"
        data={typeChoices}
        disabled={!isIncluded}
        value={choiceOf(values.type) ?? undefined}
        onChange={(event) => changeType(typeOf(event.currentTarget.value))}
      />
      <button
        type="button"
        className={classes.rule}
        disabled={!isIncluded}
        aria-expanded={isOpen && isIncluded}
        aria-controls={optionsId}
        aria-label={`Options: ${words}`}
        data-faulty={(isFaulty && isIncluded) || undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span>{words}</span>
        <IconChevronDown size={16} aria-hidden />
      </button>
      <Checkbox
        className={classes.empty}
        size="xs"
        label="Can be empty"
        disabled={!isIncluded}
        checked={!values.required}
        onChange={(event) => changeValues({ required: !event.currentTarget.checked })}
      />
      {noteOf(draft) !== '' && <p className={classes.reason}>{noteOf(draft)}</p>}
      {isOpen && isIncluded && (
        <div id={optionsId} className={classes.options}>
          <DraftOptions key={values.type} values={values} faults={faults} onChange={changeValues} />
        </div>
      )}
    </li>
  )
})

const noteOf = ({ reason, isIncluded }: FieldDraft): string =>
  isIncluded ? reason : 'Left out: files must then come without this column.'

type DraftOptionsProps = {
  values: FieldValues
  faults: InputErrors | undefined
  onChange: (changed: FieldValues) => void
}

/** The options of a draft's type, with the inputs of the field form. Mounted anew for another type. */
function DraftOptions({ values, faults, onChange }: DraftOptionsProps) {
  const { name, required } = values
  // These two are beside the options, and may have changed since the form began.
  const form = useFieldForm(values, (typed) => onChange({ ...typed, name, required }))
  const { setErrors } = form
  useEffect(() => {
    if (faults !== undefined) setErrors(faults)
  }, [faults, setErrors])
  return values.type === '' ? null : <RuleOptions type={values.type} form={form} />
}
