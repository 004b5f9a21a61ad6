import { queryOptions } from '@tanstack/react-query'
import { type FieldDetail, type FieldItem, listFields, readField } from '@veridict/contract/api/fields'
import { fieldFromReply } from '@veridict/contract/api/wire-field'
import { pageSizes } from '@veridict/contract/limits'
import type { Field } from '@veridict/contract/model/field'
import { call } from '#lib/http/client.ts'

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
