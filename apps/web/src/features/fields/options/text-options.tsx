import { NumberInput, SimpleGrid, Switch } from '@mantine/core'
import { dictionaryLimits } from '@veridict/contract/limits'
import type { FieldFormHook } from '#features/fields/use-field-form.ts'

/** Bounds of a text's length. See docs/BEHAVIOUR.md#field-form. */
export function TextOptions({ form }: { form: FieldFormHook }) {
  return (
    <>
      <Switch label="Text length range" {...form.getInputProps('hasLengthRange', { type: 'checkbox' })} />
      {form.values.hasLengthRange && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing={20}>
          <NumberInput label="Minimum length" hideControls {...form.getInputProps('minLength')} />
          <NumberInput
            label="Maximum length"
            placeholder={`At most ${dictionaryLimits.maxTextLengthBound}`}
            hideControls
            {...form.getInputProps('maxLength')}
          />
        </SimpleGrid>
      )}
    </>
  )
}
