import { queryOptions } from '@tanstack/react-query'
import {
  createField,
  deleteField,
  listFields,
  readField,
  reorderFields,
  updateField,
} from '@veridict/contract/api/fields'
import type { FieldForm } from '@veridict/contract/forms/field'
import { pageSizes } from '@veridict/contract/limits'
import { call } from '#lib/http/client.ts'
import { useChange } from '#lib/http/use-change.ts'
import { valuesOf } from './field-values.ts'

/** All fields of a dictionary, in order. */
export const fieldsQuery = (dictionaryId: number) =>
  queryOptions({
    queryKey: ['fields', dictionaryId],
    queryFn: async ({ signal }) =>
      (await call(listFields, { params: { id: dictionaryId }, query: { PageSize: pageSizes.max }, signal }))
        .data,
  })

export const fieldQuery = (id: number) =>
  queryOptions({
    queryKey: ['field', id],
    queryFn: ({ signal }) => call(readField, { params: { id }, signal }),
  })

/** A field for its form, with the version that a change hands back. */
export async function readFieldAgain(id: number) {
  const field = await call(readField, { params: { id } })
  return { values: valuesOf(field), version: field.version }
}

/** A field as it is sent: `ruleConfig` is JSON text. */
export type FieldBody = FieldForm & { ruleConfig: string }

/** Appends a field, or changes the one with `fieldId`. */
export const useSaveField = (
  dictionaryId: number,
  fieldId: number | null,
  onConflict: (message: string, failure: unknown) => void,
) =>
  useChange((field: FieldBody & { version?: string }): Promise<unknown> => {
    const body = { ...field, dataDictionaryId: dictionaryId }
    return fieldId === null
      ? call(createField, { body })
      : call(updateField, { params: { id: fieldId }, body })
  }, onConflict)

export const useDeleteField = (dictionaryId: number) =>
  useChange((itemId: number) => call(deleteField, { params: { id: dictionaryId, itemId } }))

/** Puts the fields in the order of `ids`; `seenOrder` is the one that was changed into it. */
export const useReorderFields = (
  dictionaryId: number,
  onConflict: (message: string, failure: unknown) => void,
) =>
  useChange(
    ({ ids, seenOrder }: { ids: number[]; seenOrder: number[] }) =>
      call(reorderFields, {
        params: { id: dictionaryId },
        body: { itemPositionList: ids.map((itemId, index) => ({ itemId, position: index + 1 })), seenOrder },
      }),
    onConflict,
  )
