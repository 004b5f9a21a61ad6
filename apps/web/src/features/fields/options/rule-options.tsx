import { Group, NumberInput, Select, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import { dictionaryLimits } from '@veridict/contract/limits'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { formMessages } from '@veridict/contract/messages/forms'
import { checkDigitNames, type RuleSetting, type RuleType } from '@veridict/contract/model/rule'
import { dateFormatPresets, parseDateFormat, writeDate } from '@veridict/contract/notation/date-format'
import { type JSX, useState } from 'react'
import type { FieldFormHook } from '#features/fields/use-field-form.ts'
import { ActionButton, TextButton } from '#ui/forms/action-button.tsx'
import classes from './rule-options.module.css'

type Options = (props: { form: FieldFormHook }) => JSX.Element
/** The inputs of a rule type. See docs/BEHAVIOUR.md#field-form. */
export function RuleOptions({ type, form }: { type: RuleType; form: FieldFormHook }) {
  const Options = optionsOf[type]
  return <Options form={form} />
}

const optionsOf: Readonly<Record<RuleType, Options>> = {
  text: ({ form }) => (
    <>
      <Range form={form} toggle="hasLengthRange" label="Text length range">
        <Bound form={form} name="minLength" label="Minimum length" />
        <Bound
          form={form}
          name="maxLength"
          label="Maximum length"
          placeholder={`At most ${dictionaryLimits.maxTextLengthBound}`}
        />
      </Range>
      <CheckDigit form={form} />
    </>
  ),
  number: ({ form }) => (
    <>
      <NumberInput
        label="Scale"
        description={
          `${formMessages.optional}. The most decimals allowed: 0 for whole numbers, ` +
          '2 for amounts like 12.50. Empty allows any number of them.'
        }
        hideControls
        {...form.getInputProps('scale')}
      />
      <Range form={form} toggle="hasRange" label="Within a range">
        <Bound form={form} name="minimum" label="Min" />
        <Bound form={form} name="maximum" label="Max" />
      </Range>
    </>
  ),
  date: DateOptions,
  pattern: ({ form }) => (
    <>
      <TextInput
        label="Regular expression"
        description={
          'The whole value must match. Describe it in the field description too: ' +
          'that is what people read when a value does not fit.'
        }
        placeholder="\d{6}"
        spellCheck={false}
        classNames={{ input: classes.code }}
        {...form.getInputProps('pattern')}
      />
      <CheckDigit form={form} />
    </>
  ),
  list: ListOptions,
}

const checkDigits = Object.entries(checkDigitNames).map(([value, label]) => ({ value, label }))

const CheckDigit = ({ form }: { form: FieldFormHook }) => (
  <Select
    label="Check digit"
    description={`${formMessages.optional}. Finds mistyped and swapped characters of codes that have one.`}
    placeholder="None"
    data={checkDigits}
    clearable
    allowDeselect
    {...form.getInputProps('checkDigit')}
    value={form.values.checkDigit || null}
    onChange={(scheme) => form.setFieldValue('checkDigit', scheme ?? '')}
  />
)

type RangeProps = {
  form: FieldFormHook
  toggle: 'hasLengthRange' | 'hasRange'
  label: string
  children: JSX.Element[]
}

/** A switch, and both bounds while it is on. */
function Range({ form, toggle, label, children }: RangeProps) {
  return (
    <>
      <Switch label={label} {...form.getInputProps(toggle, { type: 'checkbox' })} />
      {form.values[toggle] && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing={20}>
          {children}
        </SimpleGrid>
      )}
    </>
  )
}

type BoundProps = { form: FieldFormHook; name: RuleSetting; label: string; placeholder?: string }

const Bound = ({ form, name, ...shown }: BoundProps) => (
  <NumberInput description={formMessages.optional} hideControls {...shown} {...form.getInputProps(name)} />
)

const LEAST_ROWS = 5
const MOST_ROWS = 18

function ListOptions({ form }: { form: FieldFormHook }) {
  // Counted, not measured, and lines are not wrapped: measuring 10,000 values took half a second with each
  // key.
  const lines = form.values.options.split('\n', MOST_ROWS).length
  return (
    <>
      <Textarea
        label="Values"
        description="One value per line, in upper and lower case as they must be written."
        rows={Math.max(lines, LEAST_ROWS)}
        wrap="off"
        spellCheck={false}
        {...form.getInputProps('options')}
      />
      <TextInput
        label="Separator"
        description={
          `${formMessages.optional}. The character between values, where a cell may hold several of them. ` +
          'Empty allows one.'
        }
        placeholder=";"
        maxLength={2}
        {...form.getInputProps('separator')}
      />
      {form.values.separator !== '' && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing={20}>
          <Bound form={form} name="minValues" label="Fewest values in a cell" />
          <Bound form={form} name="maxValues" label="Most values in a cell" />
        </SimpleGrid>
      )}
    </>
  )
}

/** The format of a date: one of the presets, or one that the administrator adds. */
function DateOptions({ form }: { form: FieldFormHook }) {
  const [added, setAdded] = useState<string[]>([])
  const [isAdding, setIsAdding] = useState(false)
  const { format } = form.values
  const formats = [...new Set([...dateFormatPresets, ...added, ...(format === '' ? [] : [format])])]
  const add = (custom: string) => {
    setAdded((before) => [...before, custom])
    form.setFieldValue('format', custom)
    setIsAdding(false)
  }
  return (
    <>
      <Select
        label="Date format"
        placeholder="Select a date format"
        description={exampleOf(format)}
        data={formats}
        {...form.getInputProps('format')}
        value={format === '' ? null : format}
      />
      {isAdding ? (
        <CustomFormat onAdd={add} onCancel={() => setIsAdding(false)} />
      ) : (
        <TextButton
          label="Add custom format"
          fz={14.5}
          fw={500}
          style={{ alignSelf: 'start' }}
          onClick={() => setIsAdding(true)}
        />
      )}
    </>
  )
}

function CustomFormat({ onAdd, onCancel }: { onAdd: (format: string) => void; onCancel: () => void }) {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const add = () => {
    const format = text.trim()
    if (parseDateFormat(format) === null) setFault(fieldMessages.dateFormatInvalid)
    else onAdd(format)
  }
  return (
    <div>
      <TextInput
        label="Custom date format"
        description={
          'Day (d or dd), month (M or MM) and year (yy or yyyy), separated by / . or - throughout, ' +
          'like d.M.yyyy'
        }
        autoFocus
        value={text}
        error={fault}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setFault(null)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Enter adds the format; it must not send the whole form.
          event.preventDefault()
          add()
        }}
      />
      <Group gap={10} mt={12}>
        <ActionButton label="Add" size="sm" variant="default" onClick={add} />
        <ActionButton label="Cancel" size="sm" variant="subtle" color="gray.7" onClick={onCancel} />
      </Group>
    </div>
  )
}

/** The last day of 2024 in a format: its parts cannot be taken for one another. */
function exampleOf(format: string): string | undefined {
  const parsed = parseDateFormat(format)
  return parsed === null ? undefined : `For example ${writeDate(parsed, 2024, 12, 31)}`
}
