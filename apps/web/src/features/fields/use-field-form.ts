import { useForm } from '@mantine/form'
import { useEffect, useEffectEvent } from 'react'
import { type FieldValues, rangeErrorsOf, readField } from './field-values.ts'
import { useRuleEngine } from './use-rule-engine.ts'

/** The state of a field's form. Bounds and a regular expression are checked while they are typed. */
export function useFieldForm(initialValues: FieldValues, onValuesChange?: (values: FieldValues) => void) {
  const { engine } = useRuleEngine()
  const form = useForm<FieldValues>({
    initialValues,
    onValuesChange,
    validate: (values) => {
      const read = readField(values, engine?.checkPattern)
      return read.ok ? {} : read.errors
    },
    validateInputOnChange: ['pattern'],
  })
  // When a bound, the type or a switch changes, the errors of all bounds may change.
  const { type, hasLengthRange, minLength, maxLength, scale, hasRange, minimum, maximum } = form.values
  const show = useEffectEvent(() => {
    for (const [input, error] of Object.entries(rangeErrorsOf(form.values))) form.setFieldError(input, error)
  })
  useEffect(() => show(), [type, hasLengthRange, minLength, maxLength, scale, hasRange, minimum, maximum])
  return form
}
export type FieldFormHook = ReturnType<typeof useFieldForm>
