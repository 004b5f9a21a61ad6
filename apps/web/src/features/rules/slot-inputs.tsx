import {
  ActionIcon,
  Button,
  Checkbox,
  MultiSelect,
  NativeSelect,
  NumberInput,
  Select,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { ruleFormMessages as texts } from '@veridict/contract/messages/row-rules'
import { comparedKind, holdsSeveral } from '@veridict/contract/model/check-rule-book'
import type { Field } from '@veridict/contract/model/field'
import type { Operand, ReferenceList, RuleTest } from '@veridict/contract/model/row-rule'
import { formPieces, hasParts, operandForms, type Parts } from '@veridict/contract/notation/rule-sentence'
import { type JSX, useState } from 'react'
import { rowsOfText, textOfRows } from './rule-values.ts'
import classes from './test-rows.module.css'

/** Of a longer list only these options are shown; a search finds the others. */
export const MOST_OPTIONS = 100

/** What the inputs of a test choose from. */
export type RuleContext = { fields: readonly Field[]; lists: readonly ReferenceList[] }

type SlotProps = {
  /** The test or operand with the slot. */
  parts: Parts
  test: RuleTest
  /** The first column of the test; undefined while none is chosen. */
  field: Field | undefined
  context: RuleContext
  onChange: (parts: Parts) => void
}

/** The inputs of a form, with the words between them; a part that may be left out is added by a button. */
export function FormInputs({ form, ...slot }: SlotProps & { form: string }) {
  const pieces = formPieces(form)
  const first = pieces.findIndex(({ words }) => words === undefined)
  if (first < 0) return null
  return pieces.slice(first).map(({ words, slot: name = '', optional }) => {
    if (words !== undefined)
      return (
        words.trim() && (
          <span key={words} className={classes.words}>
            {words.trim()}
          </span>
        )
      )
    if (optional !== undefined) return <OptionalPart key={optional} form={optional} {...slot} />
    const Input = slotInputs[name]
    return <Input key={name} {...slot} />
  })
}

/** What is added first, and whether it goes with the column. */
const optionalParts: Record<
  string,
  { label: string; fits: (slot: SlotProps) => boolean; add: (field: Field) => Parts }
> = {
  times: {
    label: texts.addTimes,
    fits: ({ field }) => field !== undefined && comparedKind(field) === 'number',
    add: () => ({ times: '' }),
  },
  plus: {
    label: texts.addPlus,
    fits: ({ field }) => field !== undefined && comparedKind(field) !== 'text',
    add: (field) => ({ plus: '', ...(comparedKind(field) === 'date' && { unit: 'days' }) }),
  },
  tolerance: {
    label: texts.addTolerance,
    fits: ({ test }) => test.is === 'equal' || test.is === 'notEqual',
    add: () => ({ tolerance: '' }),
  },
}

function OptionalPart({ form, ...slot }: SlotProps & { form: string }) {
  const { parts, field, onChange } = slot
  const [name] = /\w+(?=\})/.exec(form)!
  const { label, fits, add } = optionalParts[name]
  if (hasParts(form, parts)) {
    const remove = () => onChange({ [name]: undefined, ...(name === 'plus' && { unit: undefined }) })
    return (
      <span className={classes.optional}>
        <span className={classes.words}>{form.replace(/\{.*/, '').trim()}</span>
        <FormInputs form={form} {...slot} />
        <ActionIcon variant="subtle" color="gray.7" aria-label={`${texts.remove}: ${label}`} onClick={remove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </span>
    )
  }
  return (
    field &&
    fits(slot) && (
      <Button
        variant="subtle"
        color="gray.7"
        size="compact-sm"
        className={classes.addPart}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => onChange(add(field))}
      >
        {label}
      </Button>
    )
  )
}

const optionsOf = (field: Field | undefined): readonly string[] | null =>
  field?.rule.type === 'list' ? field.rule.options : null
const exampleOf = (field: Field | undefined): string =>
  field?.rule.type === 'date' ? field.rule.format : field?.rule.type === 'number' ? '0' : texts.value

const choosing = {
  size: 'sm',
  searchable: true,
  limit: MOST_OPTIONS,
  nothingFoundMessage: texts.nothingFound,
  className: classes.slot,
} as const

/** Of each slot of the forms its input: the only place that a new form may need one. */
const slotInputs: Readonly<Record<string, (props: SlotProps) => JSX.Element>> = {
  values: ValuesInput,
  value: ValueInput,
  text: (props) => <TextSlot name="text" label={texts.text} {...props} />,
  pattern: (props) => <TextSlot name="pattern" label={texts.pattern} {...props} />,
  min: (props) => <NumberSlot name="min" label={texts.min} {...props} />,
  max: (props) => <NumberSlot name="max" label={texts.max} {...props} />,
  tolerance: (props) => <NumberSlot name="tolerance" label={texts.tolerance} {...props} />,
  rows: RowsInput,
  list: ({ parts, context, onChange }) => (
    <Select
      {...choosing}
      aria-label={texts.list}
      placeholder={texts.chooseList}
      data={context.lists.map(({ name }) => name)}
      value={(parts.list as string) || null}
      onChange={(list) => onChange({ list: list ?? '' })}
    />
  ),
  column: ({ parts, context, field, onChange }) => (
    <Select
      {...choosing}
      aria-label={texts.otherColumn}
      placeholder={texts.chooseColumn}
      data={comparable(context, field)}
      allowDeselect={false}
      value={(parts.column as string) || null}
      onChange={(column) => onChange({ column: column ?? '' })}
    />
  ),
  sum: ({ parts, context, field, onChange }) => (
    <MultiSelect
      {...choosing}
      aria-label={texts.summands}
      placeholder={(parts.sum as string[]).length === 0 ? texts.chooseColumns : undefined}
      data={comparable(context, field)}
      value={parts.sum as string[]}
      onChange={(sum) => onChange({ sum })}
    />
  ),
  times: TimesInput,
  plus: PlusInput,
  than: OperandInput,
}

const comparable = ({ fields }: RuleContext, field: Field | undefined): string[] =>
  fields
    .filter(
      (other) => !holdsSeveral(other) && (field === undefined || comparedKind(other) === comparedKind(field)),
    )
    .map(({ name }) => name)

function ValuesInput({ parts, test, field, onChange }: SlotProps) {
  const values = parts.values as string[]
  const filled = values.filter((value) => value !== '')
  const hasBlank = filled.length < values.length
  const change = (chosen: string[], withBlank: boolean) =>
    onChange({ values: withBlank ? [...chosen, ''] : chosen })
  const options = optionsOf(field)
  const shared = {
    ...choosing,
    'aria-label': texts.values,
    value: filled,
    onChange: (chosen: string[]) => change(chosen, hasBlank),
  }
  return (
    <>
      {options !== null ? (
        <MultiSelect
          {...shared}
          placeholder={filled.length === 0 ? texts.chooseValues : undefined}
          data={options}
        />
      ) : (
        <TagsInput
          size="sm"
          className={classes.slot}
          aria-label={texts.values}
          placeholder={filled.length === 0 ? texts.typeValues(exampleOf(field)) : undefined}
          // A value may have a comma.
          splitChars={[]}
          value={filled}
          onChange={shared.onChange}
        />
      )}
      <Checkbox
        size="xs"
        className={classes.blank}
        label={test.is === 'noneOf' ? texts.norBlank : texts.orBlank}
        checked={hasBlank}
        onChange={(event) => change(filled, event.currentTarget.checked)}
      />
    </>
  )
}

function ValueInput({ parts, field, onChange }: SlotProps) {
  const value = parts.value as string
  const options = optionsOf(field)
  if (options === null)
    return (
      <TextSlot
        name="value"
        label={texts.value}
        placeholder={exampleOf(field)}
        parts={parts}
        onChange={onChange}
      />
    )
  return (
    <Select
      {...choosing}
      aria-label={texts.value}
      placeholder={texts.chooseValue}
      data={options}
      value={value || null}
      onChange={(chosen) => onChange({ value: chosen ?? '' })}
    />
  )
}

type NamedSlot = Pick<SlotProps, 'parts' | 'onChange'> & { name: string; label: string; placeholder?: string }

const TextSlot = ({ name, label, placeholder = label, parts, onChange }: NamedSlot) => (
  <TextInput
    size="sm"
    className={classes.slot}
    aria-label={label}
    placeholder={placeholder}
    autoComplete="off"
    spellCheck={false}
    value={String(parts[name])}
    onChange={(event) => onChange({ [name]: event.currentTarget.value })}
  />
)

const NumberSlot = ({ name, label, parts, onChange }: NamedSlot) => (
  <NumberInput
    size="sm"
    className={classes.number}
    aria-label={label}
    placeholder="0"
    hideControls
    value={parts[name] as number | string}
    onChange={(value) => onChange({ [name]: value })}
  />
)

function RowsInput({ parts, onChange }: SlotProps) {
  const [text, setText] = useState(() => textOfRows(parts.rows as string[][]))
  return (
    <Textarea
      size="sm"
      className={classes.lines}
      aria-label={texts.rows}
      placeholder={texts.rowsHint}
      autosize
      minRows={2}
      maxRows={10}
      spellCheck={false}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        onChange({ rows: rowsOfText(value) })
      }}
    />
  )
}

function TimesInput({ parts, context, field, onChange }: SlotProps) {
  const { times } = parts
  const columns = comparable(context, field)
  const isColumn = typeof times === 'string' && columns.includes(times)
  return (
    <>
      <Select
        {...choosing}
        aria-label={texts.factor}
        data={[
          { value: '', label: texts.aNumber },
          { group: texts.valueOf, items: columns },
        ]}
        allowDeselect={false}
        value={isColumn ? times : ''}
        onChange={(column) => onChange({ times: column ?? '' })}
      />
      {!isColumn && <NumberSlot name="times" label={texts.factor} parts={parts} onChange={onChange} />}
    </>
  )
}

function PlusInput({ parts, field, onChange }: SlotProps) {
  const { plus, unit = 'days' } = parts
  // The sign stays while the number is typed anew.
  const [isMinus, setIsMinus] = useState(typeof plus === 'number' && plus < 0)
  const signed = (amount: number | string, minus: boolean) =>
    typeof amount === 'number' ? (minus ? -Math.abs(amount) : Math.abs(amount)) : amount
  const amount = typeof plus === 'number' ? Math.abs(plus) : (plus as string)
  return (
    <>
      <NativeSelect
        size="sm"
        aria-label={texts.sign}
        data={[texts.plus, texts.minus]}
        value={isMinus ? texts.minus : texts.plus}
        onChange={({ currentTarget: { value } }) => {
          setIsMinus(value === texts.minus)
          onChange({ plus: signed(amount, value === texts.minus) })
        }}
      />
      <NumberSlot
        name="amount"
        label={texts.amount}
        parts={{ amount }}
        onChange={(changed) => onChange({ plus: signed(changed.amount as number | string, isMinus) })}
      />
      {field !== undefined && comparedKind(field) === 'date' && (
        <NativeSelect
          size="sm"
          aria-label={texts.unit}
          data={['days', 'months', 'years']}
          value={unit as string}
          onChange={(event) => onChange({ unit: event.currentTarget.value })}
        />
      )}
    </>
  )
}

/** What each kind of operand begins with, and whether it goes with the test. */
const operands: Readonly<
  Record<string, { label: string; empty: Operand; fits: (test: RuleTest, field: Field) => boolean }>
> = {
  // A constant that must not be is one of `noneOf`: 'is not equal to' would also demand that it is filled.
  value: { label: texts.fixedValue, empty: { value: '' }, fits: ({ is }) => is !== 'notEqual' },
  column: { label: texts.valueOf, empty: { column: '' }, fits: () => true },
  sum: { label: texts.sumOf, empty: { sum: [] }, fits: (_, field) => comparedKind(field) === 'number' },
  today: { label: texts.today, empty: { today: true }, fits: (_, field) => comparedKind(field) === 'date' },
}

function OperandInput({ parts, test, field, context, onChange }: SlotProps) {
  const than = parts.than as Operand
  const { key: present, form } = operandForms.find(({ key }) => key in than)!
  const offered = Object.keys(operands).filter(
    (key) => key === present || field === undefined || operands[key].fits(test, field),
  )
  return (
    <>
      <NativeSelect
        size="sm"
        aria-label={texts.comparedWith}
        data={offered.map((key) => ({ value: key, label: operands[key].label }))}
        value={present}
        onChange={(event) => onChange({ than: operands[event.currentTarget.value].empty })}
      />
      <FormInputs
        key={present}
        form={form}
        parts={than}
        test={test}
        field={field}
        context={context}
        onChange={(changed) => onChange({ than: { ...than, ...changed } })}
      />
    </>
  )
}
