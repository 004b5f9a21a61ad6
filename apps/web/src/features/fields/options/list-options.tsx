import { Textarea } from '@mantine/core'
import type { FieldFormHook } from '#features/fields/use-field-form.ts'

const LEAST_ROWS = 5
const MOST_ROWS = 18

/** The values that are allowed. See docs/BEHAVIOUR.md#field-form. */
export function ListOptions({ form }: { form: FieldFormHook }) {
  return (
    <Textarea
      label="Values"
      description="One value per line, in upper and lower case as they must be written."
      // Counted, not measured, and lines are not wrapped: measuring 10,000 values took half a second with
      // each key.
      rows={Math.min(Math.max(lineCount(form.values.listText), LEAST_ROWS), MOST_ROWS)}
      wrap="off"
      spellCheck={false}
      {...form.getInputProps('listText')}
    />
  )
}

/** Counts up to `MOST_ROWS`. */
const lineCount = (text: string): number => text.split('\n', MOST_ROWS).length
