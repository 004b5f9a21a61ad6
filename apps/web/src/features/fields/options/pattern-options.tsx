import { TextInput } from '@mantine/core'
import type { FieldFormHook } from '#features/fields/use-field-form.ts'
import classes from './options.module.css'

/** The form that the whole value must have. See docs/BEHAVIOUR.md#field-form. */
export function PatternOptions({ form }: { form: FieldFormHook }) {
  return (
    <TextInput
      label="Regular expression"
      description={
        'The whole value must match. Describe it in the field description too: ' +
        'that is what people read when a value does not fit.'
      }
      placeholder="\d{6}"
      spellCheck={false}
      autoComplete="off"
      classNames={{ input: classes.code }}
      {...form.getInputProps('pattern')}
    />
  )
}
