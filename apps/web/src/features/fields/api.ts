import { queryOptions } from '@tanstack/react-query'
import {
  createField,
  deleteField,
  type FieldDetail,
  type FieldItem,
  listFields,
  readField,
  reorderFields,
  updateField,
} from '@veridict/contract/api/fields'
import { fieldFromReply, fieldToBody } from '@veridict/contract/api/wire-field'
import { pageSizes } from '@veridict/contract/limits'
import type { Field } from '@veridict/contract/model/field'
import { call } from '#lib/http/client.ts'
import { type OnConflict, useChange } from '#lib/http/use-change.ts'

/** A field of a dictionary. */
export type StoredField = Field & { id: number }

const storedField = (reply: FieldItem | FieldDetail): StoredField => ({
  id: reply.id,
  ...fieldFromReply(reply),
})

/** All fields of a dictionary, in order. */
export const fieldsQuery = (dictionaryId: number) =>
  queryOptions({
    queryKey: ['fields', dictionaryId],
    queryFn: async ({ signal }) => {
      const query = { PageSize: pageSizes.max }
      return (await call(listFields, { params: { id: dictionaryId }, query, signal })).data.map(storedField)
    },
    meta: { showsNotFound: true },
  })

/** A field for its form, with the ETag that a change hands back. */
export async function readFieldForForm(id: number, signal?: AbortSignal) {
  const reply = await call(readField, { params: { id }, signal })
  return { field: storedField(reply), etag: reply.version }
}

export const fieldQuery = (id: number) =>
  queryOptions({
    queryKey: ['field', id],
    queryFn: ({ signal }) => readFieldForForm(id, signal),
    meta: { showsNotFound: true },
  })

/** Appends a field, or changes the one with `fieldId`. */
export const useSaveField = (dictionaryId: number, fieldId: number | null, onConflict: OnConflict) =>
  useChange(({ field, etag }: { field: Field; etag?: string }): Promise<unknown> => {
    const body = { ...fieldToBody(field), dataDictionaryId: dictionaryId, version: etag }
    return fieldId === null
      ? call(createField, { body })
      : call(updateField, { params: { id: fieldId }, body })
  }, onConflict)

export const useDeleteField = (dictionaryId: number) =>
  useChange((itemId: number) => call(deleteField, { params: { id: dictionaryId, itemId } }))

/** Puts the fields in the order of `ids`; `seenOrder` is the one that was changed into it. */
export const useReorderFields = (dictionaryId: number, onConflict: OnConflict) =>
  useChange(
    ({ ids, seenOrder }: { ids: number[]; seenOrder: number[] }) =>
      call(reorderFields, {
        params: { id: dictionaryId },
        body: { itemPositionList: ids.map((itemId, index) => ({ itemId, position: index + 1 })), seenOrder },
      }),
    onConflict,
  )
