import { NumberInput, SimpleGrid, Switch } from '@mantine/core'
import { dictionaryLimits } from '@veridict/contract/limits'
import { formMessages } from '@veridict/contract/messages/forms'
import type { FieldFormHook } from '#features/fields/use-field-form.ts'

/** Bounds of a text's length. See docs/BEHAVIOUR.md#field-form. */
export function TextOptions({ form }: { form: FieldFormHook }) {
  return (
    <>
      <Switch label="Text length range" {...form.getInputProps('hasLengthRange', { type: 'checkbox' })} />
      {form.values.hasLengthRange && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing={20}>
          <NumberInput
            label="Minimum length"
            description={formMessages.optional}
            hideControls
            {...form.getInputProps('minLength')}
          />
          <NumberInput
            label="Maximum length"
            description={formMessages.optional}
            placeholder={`At most ${dictionaryLimits.maxTextLengthBound}`}
            hideControls
            {...form.getInputProps('maxLength')}
          />
        </SimpleGrid>
      )}
    </>
  )
}
