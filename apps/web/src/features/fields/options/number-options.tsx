import { NumberInput, SimpleGrid, Switch } from '@mantine/core'
import type { FieldFormHook } from '#features/fields/use-field-form.ts'

/** Decimals and bounds of a number. See docs/BEHAVIOUR.md#field-form. */
export function NumberOptions({ form }: { form: FieldFormHook }) {
  return (
    <>
      <NumberInput
        label="Scale"
        description={
          'The most decimals allowed: 0 for whole numbers, 2 for amounts like 12.50. ' +
          'Empty allows any number of them.'
        }
        hideControls
        {...form.getInputProps('scale')}
      />
      <Switch label="Within a range" {...form.getInputProps('hasRange', { type: 'checkbox' })} />
      {form.values.hasRange && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing={20}>
          <NumberInput label="Min" hideControls {...form.getInputProps('minimum')} />
          <NumberInput label="Max" hideControls {...form.getInputProps('maximum')} />
        </SimpleGrid>
      )}
    </>
  )
}
