import { z } from 'zod'
import { optionalText, requiredText } from '#forms/text.ts'
import { fieldMessages } from '#messages/fields.ts'
import { fieldTexts } from '#model/check-field.ts'
import { endpoint, etag, idReply, messageReply, optionalEtag, pageOf, pagingQuery, id } from './endpoint.ts'
import { ruleNumbers } from './wire-field.ts'

/** What every form of a field on the wire has. */
const shared = {
  description: z.string(),
  category: z.string(),
  ruleType: z.literal(Object.values(ruleNumbers)),
  isRequired: z.boolean(),
  /** Whether reports show its values beside the row number. */
  identifiesRow: z.boolean(),
}
const fieldContent = z.object({ id: z.int(), columnName: z.string(), ...shared, ruleConfigJson: z.string() })
export const fieldItem = fieldContent.extend({ position: z.int() })
export const fieldDetail = fieldContent.extend({ version: etag })
export type FieldDetail = z.infer<typeof fieldDetail>
export type FieldItem = z.infer<typeof fieldItem>

export const proposedField = z.object({
  itemName: z.string(),
  ...shared,
  /** JSON text, in the form of the request for a new field. */
  ruleConfig: z.string(),
  /** Why the field is proposed with this rule: one or two sentences. */
  reason: z.string(),
})

const { name, description, category } = fieldTexts

/** The request of a call, also for the API's document. `check-wire-field` then checks the rule. */
const fieldBody = z.object({
  itemName: requiredText(name.required, name.maxLength),
  description: optionalText(description.maxLength),
  category: optionalText(category.maxLength),
  ruleType: z.union(
    Object.values(ruleNumbers).map((number) => z.literal(number)),
    fieldMessages.typeRequired,
  ),
  isRequired: z.boolean().default(true),
  identifiesRow: z.boolean().default(false),
  dataDictionaryId: id,
  /** JSON text. */
  ruleConfig: z.string(fieldMessages.configInvalid).max(1_000_000).default('{}'),
})

export const listFields = endpoint(
  'GET /api/DataDictionary/:id/Item',
  'superAdmin',
  'Fields of a dictionary, in order',
  { query: pagingQuery, reply: pageOf(fieldItem) },
)

export const createField = endpoint('POST /api/DataDictionary/Item', 'superAdmin', 'Append a field', {
  body: fieldBody,
  reply: idReply,
  says: fieldMessages.saved,
  status: 201,
})

export const readField = endpoint('GET /api/DataDictionary/Item/:id', 'superAdmin', 'One field', {
  reply: fieldDetail,
})

export const updateField = endpoint('PUT /api/DataDictionary/Item/:id', 'superAdmin', 'Change a field', {
  body: fieldBody.extend({ dataDictionaryId: id.optional(), version: optionalEtag }),
  reply: fieldDetail,
  says: fieldMessages.saved,
})

export const deleteField = endpoint(
  'DELETE /api/DataDictionary/:id/Item/:itemId',
  'superAdmin',
  'Delete a field',
  { reply: messageReply, says: fieldMessages.deleted },
)

export const reorderFields = endpoint(
  'PUT /api/DataDictionary/:id/Item/change-order',
  'superAdmin',
  'Put all fields of a dictionary in another order',
  {
    body: z.object({
      itemPositionList: z.array(
        z.object({ itemId: z.int(), position: z.int() }),
        fieldMessages.orderIncomplete,
      ),
      /** The order that the client has read; a 409 if someone else changed it since. */
      seenOrder: z.array(z.int()).nullish(),
    }),
    reply: messageReply,
    says: fieldMessages.reordered,
  },
)
