import { type FieldDetail, type FieldItem, listFields, readField } from '@veridict/contract/api/fields'
import { fieldFromReply } from '@veridict/contract/api/wire-field'
import { pageSizes } from '@veridict/contract/limits'
import type { Field } from '@veridict/contract/model/field'
import { call } from '#lib/http/client.ts'
import { queryOf, showsNotFound } from '#lib/http/query-of.ts'

export type StoredField = Field & { id: number }

const storedField = (reply: FieldItem | FieldDetail): StoredField => ({
  id: reply.id,
  ...fieldFromReply(reply),
})

export const fieldsQuery = (dictionaryId: number) => {
  const input = { params: { id: dictionaryId }, query: { PageSize: pageSizes.max } }
  return { ...queryOf(listFields, input, ({ data }) => data.map(storedField)), ...showsNotFound }
}

const forForm = (reply: FieldDetail) => ({ field: storedField(reply), etag: reply.version })

/** A field for its form, with the ETag that a change hands back. */
export const readFieldForForm = async (id: number) => forForm(await call(readField, { params: { id } }))

export const fieldQuery = (id: number) => ({
  ...queryOf(readField, { params: { id } }, forForm),
  ...showsNotFound,
})
