import { useForm } from '@mantine/form'
import { type FieldValues, readField } from './field-values.ts'
import { useRuleEngine } from './use-rule-engine.ts'

/** The state of a field's form. A regular expression is checked while it is typed. */
export function useFieldForm(initialValues: FieldValues) {
  const { engine } = useRuleEngine()
  return useForm<FieldValues>({
    initialValues,
    validate: (values) => {
      const read = readField(values, engine?.checkPattern)
      return read.ok ? {} : read.errors
    },
    validateInputOnChange: ['pattern'],
  })
}
export type FieldFormHook = ReturnType<typeof useFieldForm>
