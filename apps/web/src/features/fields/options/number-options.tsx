import { NumberInput, SimpleGrid, Switch } from '@mantine/core'
import { formMessages } from '@veridict/contract/messages/forms'
import type { FieldFormHook } from '#features/fields/use-field-form.ts'

/** Decimals and bounds of a number. See docs/BEHAVIOUR.md#field-form. */
export function NumberOptions({ form }: { form: FieldFormHook }) {
  return (
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
      <Switch label="Within a range" {...form.getInputProps('hasRange', { type: 'checkbox' })} />
      {form.values.hasRange && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing={20}>
          <NumberInput
            label="Min"
            description={formMessages.optional}
            hideControls
            {...form.getInputProps('minimum')}
          />
          <NumberInput
            label="Max"
            description={formMessages.optional}
            hideControls
            {...form.getInputProps('maximum')}
          />
        </SimpleGrid>
      )}
    </>
  )
}
