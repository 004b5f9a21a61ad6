import {
  ActionIcon,
  Autocomplete,
  Button,
  Checkbox,
  MultiSelect,
  NumberInput,
  Select,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { comparedKind, holdsSeveral } from '@veridict/contract/model/check-rule-book'
import type { Field } from '@veridict/contract/model/field'
import type { Operand, ReferenceList, RuleTest } from '@veridict/contract/model/row-rule'
import { formPieces, hasParts, operandForms, type Parts } from '@veridict/contract/notation/rule-sentence'
import { type ReactNode, useState } from 'react'
import { rowsOfText, textOfRows } from './rule-values.ts'
import classes from './test-rows.module.css'

type Slot = {
  /** The test or operand that has the slot. */
  parts: Parts
  test: RuleTest
  /** The first column of the test; undefined while none is chosen. */
  field: Field | undefined
  fields: readonly Field[]
  lists: readonly ReferenceList[]
  onChange: (parts: Parts) => void
}

type SlotKind = {
  label: string
  /** What to choose from; null where anything may be typed. */
  options?: (slot: Slot) => readonly string[] | null
  /** @default 'text' */
  takes?: 'text' | 'several' | 'number' | 'numberOrColumn' | 'rows' | 'operand'
  /** Of a part that may be left out: its button, what is added first, and where it fits. */
  added?: { label: string; parts: (field: Field) => Parts; fits: (field: Field, test: RuleTest) => boolean }
}

const isKind = (kind: string) => (field: Field) => comparedKind(field) === kind
const names = (fields: readonly Field[]) => fields.map(({ name }) => name)
const comparable = ({ fields, field }: Slot) =>
  names(fields.filter((other) => !holdsSeveral(other) && (!field || isKind(comparedKind(field))(other))))
const itemsOf = ({ field }: Slot) => (field?.rule.type === 'list' ? field.rule.options : null)

/** Of each slot of the forms its input. Nothing else on the page knows the forms. */
const slotKinds: Readonly<Record<string, SlotKind>> = {
  ownColumn: { label: 'Column', options: ({ fields }) => names(fields) },
  ownColumns: { label: 'Columns', options: ({ fields }) => names(fields), takes: 'several' },
  values: { label: 'Values', options: itemsOf, takes: 'several' },
  value: { label: 'Value', options: itemsOf },
  text: { label: 'Text' },
  pattern: { label: 'Regular expression' },
  min: { label: 'At least', takes: 'number' },
  max: { label: 'At most', takes: 'number' },
  rows: { label: 'Rows', takes: 'rows' },
  list: { label: 'Reference list', options: ({ lists }) => lists.map(({ name }) => name) },
  than: { label: 'Compared with', takes: 'operand' },
  column: { label: 'Other column', options: comparable },
  sum: { label: 'Columns to add up', options: comparable, takes: 'several' },
  times: {
    label: 'Number or column',
    options: comparable,
    takes: 'numberOrColumn',
    added: { label: 'times', parts: () => ({ times: '' }), fits: isKind('number') },
  },
  plus: {
    label: 'Number, with - for minus',
    takes: 'number',
    added: {
      label: 'add or subtract',
      parts: (field) => ({ plus: '', ...(isKind('date')(field) && { unit: 'days' }) }),
      fits: (field) => !isKind('text')(field),
    },
  },
  unit: { label: 'Unit', options: () => ['days', 'months', 'years'] },
  tolerance: {
    label: 'Tolerance',
    takes: 'number',
    added: {
      label: 'tolerance',
      parts: () => ({ tolerance: '' }),
      fits: (_, { is }) => is === 'equal' || is === 'notEqual',
    },
  },
}

/** Of a longer list only these options are shown; a search finds the others. */
export const MOST_OPTIONS = 100

const choosing = {
  searchable: true,
  // Typing the start of a name and Enter is enough.
  selectFirstOptionOnChange: true,
  limit: MOST_OPTIONS,
  nothingFoundMessage: 'Nothing found',
} as const

export type SlotInputProps = Slot & {
  name: keyof Parts
  /** Another kind than its name's. */
  kind?: string
  fault?: string
  autoFocus?: boolean
}

export function SlotInput({ name, kind = name, fault, autoFocus, ...slot }: SlotInputProps) {
  const { label, options: optionsOf, takes = 'text' } = slotKinds[kind]
  const { parts, test, field, onChange } = slot
  const options = optionsOf?.(slot) ?? null
  const value = parts[name] ?? ''
  const set = (changed: unknown) => onChange({ [name]: changed })
  const isShort = takes === 'number' || name === 'unit'
  const width = isShort ? classes.short : takes === 'several' ? classes.values : classes.slot
  const shared = {
    size: 'sm',
    className: fault === undefined ? width : classes.faulty,
    'aria-label': label,
    error: fault,
    autoFocus,
  } as const
  const placeholder = options === null ? exampleOf(field) : `Choose ${label.toLowerCase()}`
  switch (takes) {
    case 'operand':
      return <OperandInput {...slot} />
    case 'rows':
      return <RowsInput rows={value as string[][]} onChange={set} />
    case 'number':
      return <NumberInput {...shared} hideControls placeholder="0" value={value as string} onChange={set} />
    case 'numberOrColumn': {
      const isNumber = typeof value === 'number'
      return (
        <Autocomplete
          {...shared}
          placeholder={label}
          data={isNumber ? [] : (options ?? [])}
          // As in the fields of columns alone: Enter after the start of a name would save the rule.
          selectFirstOptionOnChange
          value={String(value)}
          onChange={(text) => set(text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text)}
        />
      )
    }
    case 'several': {
      const own = { value: value as string[], placeholder, blankLabel: blankLabelOf(name, test) }
      return <SeveralInput {...shared} {...own} options={options} onChange={set} />
    }
    case 'text':
      if (options === null)
        return (
          <TextInput
            {...shared}
            placeholder={name === 'value' ? exampleOf(field) : label}
            spellCheck={false}
            value={String(value)}
            onChange={(event) => set(event.currentTarget.value)}
          />
        )
      return (
        <Select
          {...shared}
          {...choosing}
          placeholder={placeholder}
          data={options}
          value={String(value) || null}
          onChange={set}
        />
      )
  }
}

/** For columns whose values may be blank as well; undefined elsewhere. */
const blankLabelOf = (name: string, { is }: RuleTest): string | undefined =>
  name !== 'values' ? undefined : is === 'noneOf' ? 'nor blank' : 'or blank'

const exampleOf = (field: Field | undefined): string =>
  field?.rule.type === 'date' ? field.rule.format : field?.rule.type === 'number' ? '0' : 'Type a value'

/** The inputs of a form and the words between them; a part that may be left out is added by a button. */
export function FormInputs({ form, ...slot }: Slot & { form: string }): ReactNode {
  const pieces = formPieces(form)
  const first = pieces.findIndex(({ words }) => words === undefined)
  return pieces.slice(first < 0 ? pieces.length : first).map(({ words, slot: name, optional }) => {
    if (optional !== undefined) return <OptionalPart key={optional} form={optional} {...slot} />
    if (name !== undefined) return <SlotInput key={name} name={name} {...slot} />
    return (
      <span key={words} className={classes.words}>
        {words}
      </span>
    )
  })
}

function OptionalPart({ form, ...slot }: Slot & { form: string }) {
  const { parts, test, field, onChange } = slot
  const [name] = /\w+(?=\})/.exec(form)!
  const { label, parts: first, fits } = slotKinds[name].added!
  // The button that was pressed goes, and would take the focus with it.
  const [isPressed, setPressed] = useState(false)
  const press = (changed: Parts) => {
    setPressed(true)
    onChange(changed)
  }
  if (hasParts(form, parts)) {
    return (
      <span className={classes.optional}>
        <span className={classes.words}>{name}</span>
        <SlotInput name={name} autoFocus={isPressed} {...slot} />
        {parts.unit !== undefined && <SlotInput name="unit" {...slot} />}
        <ActionIcon
          variant="subtle"
          color="gray.7"
          aria-label={`Remove ${label}`}
          onClick={() => press({ [name]: undefined, unit: name === 'plus' ? undefined : parts.unit })}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </span>
    )
  }
  if (field === undefined || !fits(field, test)) return null
  return (
    <Button
      variant="subtle"
      color="gray.7"
      size="compact-sm"
      className={classes.addPart}
      leftSection={<IconPlus size={14} aria-hidden />}
      autoFocus={isPressed}
      onClick={() => press(first(field))}
    >
      {label}
    </Button>
  )
}

type SeveralInputProps = {
  value: readonly string[]
  options: readonly string[] | null
  placeholder: string
  blankLabel: string | undefined
  onChange: (values: string[]) => void
}

/** Texts, of which one may be blank: that is ticked. */
function SeveralInput({ value, options, placeholder, blankLabel, onChange, ...shared }: SeveralInputProps) {
  const filled = value.filter((one) => one !== '')
  const hasBlank = filled.length < value.length
  const several = {
    ...shared,
    placeholder: filled.length === 0 ? placeholder : undefined,
    value: filled,
    onChange: (values: string[]) => onChange(hasBlank ? [...values, ''] : values),
  }
  return (
    <>
      {options === null ? (
        // A value may have a comma.
        <TagsInput {...several} splitChars={[]} />
      ) : (
        <MultiSelect {...several} {...choosing} data={options} />
      )}
      {blankLabel !== undefined && (
        <Checkbox
          size="xs"
          className={classes.blank}
          label={blankLabel}
          checked={hasBlank}
          onChange={(event) => onChange(event.currentTarget.checked ? [...filled, ''] : filled)}
        />
      )}
    </>
  )
}

function RowsInput({ rows, onChange }: { rows: string[][]; onChange: (rows: string[][]) => void }) {
  const [text, setText] = useState(() => textOfRows(rows))
  return (
    <Textarea
      size="sm"
      className={classes.lines}
      aria-label="Rows"
      placeholder="One row per line, with ; between its values"
      autosize
      minRows={2}
      maxRows={10}
      spellCheck={false}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        onChange(rowsOfText(value))
      }}
    />
  )
}

type OperandKind = { label: string; empty: Operand; fits: (field: Field, test: RuleTest) => boolean }
const operandKinds: Readonly<Record<string, OperandKind>> = {
  // A constant that must not be is one of `noneOf`: 'is not equal to' would also demand that it is filled.
  value: { label: 'a fixed value', empty: { value: '' }, fits: (_, { is }) => is !== 'notEqual' },
  column: { label: 'the value of', empty: { column: '' }, fits: () => true },
  sum: { label: 'the sum of', empty: { sum: [] }, fits: isKind('number') },
  today: { label: 'today', empty: { today: true }, fits: isKind('date') },
}

function OperandInput({ parts, ...slot }: Slot) {
  const { test, field, onChange } = slot
  const than = parts.than as Operand
  const { key: present, form } = operandForms.find(({ key }) => key in than)!
  const offered = Object.entries(operandKinds).filter(
    ([key, { fits }]) => key === present || field === undefined || fits(field, test),
  )
  return (
    <>
      <Select
        size="sm"
        className={classes.operand}
        aria-label={slotKinds.than.label}
        data={offered.map(([key, { label }]) => ({ value: key, label }))}
        value={present}
        onChange={(key) => onChange({ than: operandKinds[key!].empty })}
      />
      <FormInputs
        key={present}
        {...slot}
        form={form}
        parts={than}
        onChange={(changed) => onChange({ than: { ...than, ...changed } })}
      />
    </>
  )
}
