import { useEffect } from 'react'
import type { FieldValues, InputErrors } from '#features/fields/field-values.ts'
import { RuleOptions } from '#features/fields/options/rule-options.tsx'
import { useFieldForm } from '#features/fields/use-field-form.ts'

/** What the inputs of options change; name, type and "Can be empty" stand in the row. */
const optionNames = [
  'hasLengthRange',
  'minLength',
  'maxLength',
  'scale',
  'hasRange',
  'minimum',
  'maximum',
  'pattern',
  'listText',
  'format',
] as const satisfies (keyof FieldValues)[]

export type DraftOptionsProps = {
  values: FieldValues
  faults: InputErrors | undefined
  onChange: (changed: Partial<FieldValues>) => void
}

/** The options of a draft's type, with the inputs of the field's own form. Mounted anew for another type. */
export function DraftOptions({ values, faults, onChange }: DraftOptionsProps) {
  const form = useFieldForm(values)
  const { setErrors, values: typed } = form
  useEffect(() => {
    const changed = optionNames.filter((name) => typed[name] !== values[name])
    if (changed.length > 0) onChange(Object.fromEntries(changed.map((name) => [name, typed[name]])))
    // Only what is typed here changes the draft.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [typed])
  useEffect(() => {
    if (faults !== undefined) setErrors(faults)
  }, [faults, setErrors])
  return values.type === '' ? null : <RuleOptions type={values.type} form={form} />
}
