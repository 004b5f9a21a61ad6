import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { memo, useEffect, useId, useState } from 'react'
import {
  choiceOf,
  emptyField,
  type FieldValues,
  type InputErrors,
  typeChoices,
  typeOf,
} from '#features/fields/field-values.ts'
import { RuleOptions } from '#features/fields/options/rule-options.tsx'
import { useFieldForm } from '#features/fields/use-field-form.ts'
import classes from './draft-list.module.css'
import { draftWords, type FieldDraft } from './field-drafts.ts'

export type DraftRowProps = {
  draft: FieldDraft
  faults: InputErrors | undefined
  onChange: (letter: string, changed: Partial<FieldDraft>) => void
  onChangeValues: (letter: string, changed: Partial<FieldValues>) => void
}

/**
 * One proposed field: whether to take it, its name, its type with what it says, and why it was proposed so.
 */
export const DraftRow = memo(function DraftRow({ draft, faults, onChange, onChangeValues }: DraftRowProps) {
  const { letter, values, isIncluded } = draft
  const [isOpen, setIsOpen] = useState(false)
  const optionsId = useId()
  const { isFaulty, words } = draftWords(values)
  const changeValues = (changed: Partial<FieldValues>) => onChangeValues(letter, changed)
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
        autoComplete="off"
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

/** Inputs of the row itself; all others are in the options. */
const rowInputs: readonly (keyof FieldValues)[] = [
  'name',
  'description',
  'category',
  'type',
  'required',
  'identifiesRow',
]
const optionInputs = (Object.keys(emptyField) as (keyof FieldValues)[]).filter(
  (input) => !rowInputs.includes(input),
)

type DraftOptionsProps = {
  values: FieldValues
  faults: InputErrors | undefined
  onChange: (changed: Partial<FieldValues>) => void
}

/** The options of a draft's type, with the inputs of the field form. Mounted anew for another type. */
function DraftOptions({ values, faults, onChange }: DraftOptionsProps) {
  const form = useFieldForm(values)
  const { setErrors, values: typed } = form
  useEffect(() => {
    const changed = optionInputs.filter((name) => typed[name] !== values[name])
    if (changed.length > 0) onChange(Object.fromEntries(changed.map((name) => [name, typed[name]])))
    // Only what is typed here changes the draft.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [typed])
  useEffect(() => {
    if (faults !== undefined) setErrors(faults)
  }, [faults, setErrors])
  return values.type === '' ? null : <RuleOptions type={values.type} form={form} />
}
