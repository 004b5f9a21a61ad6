import { useForm } from '@mantine/form'
import { faultsOf, type FieldValues } from './field-values.ts'
import { useRuleEngine } from './use-rule-engine.ts'

/** The state of a field's form. An expression that the engine cannot run is told while it is typed. */
export function useFieldForm(initialValues: FieldValues) {
  const { engine } = useRuleEngine()
  return useForm<FieldValues>({
    initialValues,
    validate: (values) => faultsOf(values, engine?.checkPattern),
    validateInputOnChange: ['regularExpression'],
  })
}
export type FieldFormHook = ReturnType<typeof useFieldForm>
