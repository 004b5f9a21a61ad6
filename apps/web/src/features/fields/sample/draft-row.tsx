import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { memo, useId, useState } from 'react'
import {
  choiceOf,
  type FieldValues,
  type InputErrors,
  typeChoices,
  typeOf,
} from '#features/fields/field-values.ts'
import classes from './draft-list.module.css'
import { DraftOptions } from './draft-options.tsx'
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
        checked={values.canBeEmpty}
        onChange={(event) => changeValues({ canBeEmpty: event.currentTarget.checked })}
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
