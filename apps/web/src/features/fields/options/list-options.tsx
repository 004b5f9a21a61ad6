import { Textarea } from '@mantine/core'
import type { FieldFormHook } from '#features/fields/use-field-form.ts'

/** The values that are allowed. Spec §3, §5. */
export function ListOptions({ form }: { form: FieldFormHook }) {
  return (
    <Textarea
      label="Values"
      description="One value per line, in upper and lower case as they must be written."
      autosize
      minRows={5}
      maxRows={18}
      spellCheck={false}
      {...form.getInputProps('listText')}
    />
  )
}
