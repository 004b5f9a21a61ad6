import type { FieldItem } from '@veridict/contract/api/fields'
import { fieldFromReply, fieldToBody } from '@veridict/contract/api/wire-field'
import { everyField } from '@veridict/contract/test/every-field'
import type { Field } from '@veridict/contract/model/field'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findVersionFields } from '#dictionaries/dictionaries.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { uploadForm } from '#test/upload-form.ts'
import { findPresentVersionId } from '#test/factories.ts'

/**
 * A new option of a field must work everywhere fields are used. See CONTRIBUTING.md, "A new field option".
 */

let test: TestApp
let id: number
beforeAll(async () => {
  test = await createTestApp()
  id = await createDictionary()
})
afterAll(() => test.close())

async function call(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  given: { body?: object; file?: Upload } = {},
) {
  const { body = given.body, headers } = given.file ? await uploadForm(...given.file) : {}
  const reply = await test.call(method, `/api/DataDictionary${path}`, {
    as: test.administrator,
    body,
    headers,
  })
  expect(reply.statusCode, reply.body).toBeLessThan(300)
  return reply
}
type Upload = Parameters<typeof uploadForm>

async function createDictionary(items?: readonly object[]): Promise<number> {
  const body = { name: `Every option ${crypto.randomUUID()}`, items }
  return (await call('POST', '', { body })).json().value.id
}

async function fieldsOf(dictionaryId: number): Promise<Field[]> {
  const { data } = (await call('GET', `/${dictionaryId}/Item`)).json().value as { data: FieldItem[] }
  return data.map(fieldFromReply)
}

describe('A field keeps every option', () => {
  it('through the call that adds it', async () => {
    for (const field of everyField)
      await call('POST', '/Item', { body: { ...fieldToBody(field), dataDictionaryId: id } })
    expect(await fieldsOf(id)).toEqual(everyField)
  })

  it('through the call that changes it', async () => {
    const changed = await createDictionary(everyField.map(({ name }) => ({ itemName: name, ruleType: 0 })))
    const { data } = (await call('GET', `/${changed}/Item`)).json().value as { data: FieldItem[] }
    for (const [index, item] of data.entries())
      await call('PUT', `/Item/${item.id}`, { body: fieldToBody(everyField[index]) })
    expect(await fieldsOf(changed)).toEqual(everyField)
  })

  it('through the call that makes a dictionary with fields', async () => {
    expect(await fieldsOf(await createDictionary(everyField.map(fieldToBody)))).toEqual(everyField)
  })

  it('through a copy', async () => {
    const body = { name: `Copy ${crypto.randomUUID()}` }
    const copy = (await call('POST', `/copy/${id}`, { body })).json().value.id as number
    expect(await fieldsOf(copy)).toEqual(everyField)
  })

  it('in the version that submissions are checked against', async () => {
    const { db } = test.deps
    const version = await findPresentVersionId(db, { id })
    expect(await findVersionFields(db, version)).toEqual(everyField)
  })

  it('in the history', async () => {
    const [{ revision }] = (await call('GET', `/${id}/Version`)).json().value.data as { revision: number }[]
    const { fields } = (await call('GET', `/${id}/Version/${revision}`)).json().value as {
      fields: FieldItem[]
    }
    expect(fields.map(fieldFromReply)).toEqual(everyField)
  })

  it('through its workbook', async () => {
    const workbook = (await call('GET', `/${id}/Export`)).rawPayload
    const file: Upload = [
      ['name', `Imported ${crypto.randomUUID()}`],
      ['file', workbook, 'dictionary.xlsx'],
    ]
    const imported = (await call('POST', '/Import', { file })).json().value.id as number
    expect(await fieldsOf(imported)).toEqual(everyField)
  })

  it('through its Table Schema', async () => {
    const schema = (await call('GET', `/${id}/TableSchema`)).payload
    const { fields, notes } = (
      await call('POST', '/Propose', { file: [['file', schema, 'every.schema.json']] })
    ).json().value as { fields: object[]; notes: string[] }
    expect(notes).toEqual([])
    expect(await fieldsOf(await createDictionary(fields))).toEqual(everyField)
  })
})
