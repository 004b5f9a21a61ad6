import * as endpoints from '@veridict/contract/api/fields'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { FastifyInstance } from 'fastify'
import { mount, withMessage } from '#platform/http/mount.ts'
import { presentField, presentFieldItem } from '#dictionaries/present-field.ts'
import { presentPage } from '#platform/page.ts'
import { createField } from '#dictionaries/create-field.ts'
import { deleteField } from '#dictionaries/delete-field.ts'
import { listFields, readField } from '#dictionaries/read-fields.ts'
import { reorderFields } from '#dictionaries/reorder-fields.ts'
import { updateField } from '#dictionaries/update-field.ts'

export function mountFields(app: FastifyInstance): void {
  mount(app, endpoints.listFields, async ({ params, query, deps }) => {
    const { fields, totalCount } = await listFields(params.id, query, deps)
    return presentPage(fields.map(presentFieldItem), totalCount, query)
  })

  mount(app, endpoints.createField, async ({ body, viewer, deps }) => {
    const id = await createField(body.dataDictionaryId, body, viewer.userId, deps)
    return withMessage({ id }, fieldMessages.saved)
  })

  mount(app, endpoints.readField, async ({ params, deps }) => presentField(await readField(params.id, deps)))

  mount(app, endpoints.updateField, async ({ params, body, viewer, deps }) => {
    const field = await updateField(params.id, body, viewer.userId, deps)
    return withMessage(presentField(field), fieldMessages.saved)
  })

  mount(app, endpoints.deleteField, async ({ params, viewer, deps }) => {
    await deleteField(params.id, params.itemId, viewer.userId, deps)
    return { message: fieldMessages.deleted }
  })

  mount(app, endpoints.reorderFields, async ({ params, body, viewer, deps }) => {
    await reorderFields(params.id, body, viewer.userId, deps)
    return { message: fieldMessages.reordered }
  })
}
