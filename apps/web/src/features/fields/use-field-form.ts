import { useForm } from '@mantine/form'
import { useEffect, useEffectEvent } from 'react'
import { type FieldValues, rangeErrorsOf, readField } from './field-values.ts'
import { useRuleEngine } from './use-rule-engine.ts'

/** The state of a field's form. Bounds and a regular expression are checked while they are typed. */
export function useFieldForm(initialValues: FieldValues) {
  const { engine } = useRuleEngine()
  const form = useForm<FieldValues>({
    initialValues,
    validate: (values) => {
      const read = readField(values, engine?.checkPattern)
      return read.ok ? {} : read.errors
    },
    validateInputOnChange: ['pattern'],
  })
  useRangeErrors(form.values, form.setFieldError)
  return form
}
export type FieldFormHook = ReturnType<typeof useFieldForm>

/** Shows the errors of all bounds when one of them, the type or a switch changes. */
function useRangeErrors(
  values: FieldValues,
  setFieldError: (input: keyof FieldValues, error: string | null) => void,
): void {
  const { type, hasLengthRange, minLength, maxLength, scale, hasRange, minimum, maximum } = values
  const show = useEffectEvent(() => {
    const errors = Object.entries(rangeErrorsOf(values)) as [keyof FieldValues, string | null][]
    for (const [input, error] of errors) setFieldError(input, error)
  })
  useEffect(() => show(), [type, hasLengthRange, minLength, maxLength, scale, hasRange, minimum, maximum])
}
