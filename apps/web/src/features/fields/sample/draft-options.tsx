import { useEffect } from 'react'
import { emptyField, type FieldValues, type InputErrors } from '#features/fields/field-values.ts'
import { RuleOptions } from '#features/fields/options/rule-options.tsx'
import { useFieldForm } from '#features/fields/use-field-form.ts'

/** Inputs of the row itself; all others are in the options. */
const rowInputs: readonly (keyof FieldValues)[] = [
  'name',
  'description',
  'category',
  'type',
  'canBeEmpty',
  'identifiesRow',
]
const optionInputs = (Object.keys(emptyField) as (keyof FieldValues)[]).filter(
  (input) => !rowInputs.includes(input),
)

export type DraftOptionsProps = {
  values: FieldValues
  faults: InputErrors | undefined
  onChange: (changed: Partial<FieldValues>) => void
}

/** The options of a draft's type, with the inputs of the field form. Mounted anew for another type. */
export function DraftOptions({ values, faults, onChange }: DraftOptionsProps) {
  const form = useFieldForm(values)
  const { setErrors, values: typed } = form
  useEffect(() => {
    const changed = optionInputs.filter((name) => typed[name] !== values[name])
    if (changed.length > 0) onChange(Object.fromEntries(changed.map((name) => [name, typed[name]])))
    // Only what is typed here changes the draft.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [typed])
  useEffect(() => {
    if (faults !== undefined) setErrors(faults)
  }, [faults, setErrors])
  return values.type === '' ? null : <RuleOptions type={values.type} form={form} />
}
