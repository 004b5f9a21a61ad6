import { useForm } from '@mantine/form'
import { faultsOf, type FieldValues } from './field-values.ts'

/** The state of a field's form. */
export const useFieldForm = (initialValues: FieldValues) => useForm<FieldValues>({ initialValues, validate: faultsOf })
export type FieldFormHook = ReturnType<typeof useFieldForm>
