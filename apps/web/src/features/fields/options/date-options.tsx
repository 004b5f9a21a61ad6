import { Anchor, Button, Group, Select, TextInput } from '@mantine/core'
import { fieldMessages } from '@veridict/contract/messages/fields'
import { dateFormatPresets, parseDateFormat, writeDate } from '@veridict/contract/notation/date-format'
import { useState } from 'react'
import type { FieldFormHook } from '#features/fields/use-field-form.ts'

/** The format of a date: one of the presets, or one that the administrator adds. */
export function DateOptions({ form }: { form: FieldFormHook }) {
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
        allowDeselect={false}
        {...form.getInputProps('format')}
        value={format === '' ? null : format}
      />
      {isAdding ? (
        <CustomFormat onAdd={add} onCancel={() => setIsAdding(false)} />
      ) : (
        <Anchor
          component="button"
          type="button"
          fz={14.5}
          fw={500}
          style={{ alignSelf: 'start' }}
          onClick={() => setIsAdding(true)}
        >
          Add custom format
        </Anchor>
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
        <Button size="sm" variant="default" onClick={add}>
          Add
        </Button>
        <Button size="sm" variant="subtle" color="gray.7" onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </div>
  )
}

/** The last day of 2024 in a format: its parts cannot be taken for one another. */
function exampleOf(format: string): string | undefined {
  const parsed = parseDateFormat(format)
  return parsed === null ? undefined : `For example ${writeDate(parsed, 2024, 12, 31)}`
}
