import { noticeMessages } from '@veridict/contract/messages/notices'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createValidatorPool } from '#platform/validator/create-validator-pool.ts'
import { openTemplate } from '#dictionaries/open-template.ts'
import { buildDictionary } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

describe('A template', () => {
  it('is made by a validator process, once for each version', async () => {
    const { id } = await buildDictionary(test.deps.db, { fields: [{ itemName: 'Id' }] })
    const validator = createValidatorPool({ processes: 1 })
    validator.close()
    const administrator = { companyId: null, userId: 1 }
    const openWithoutValidator = () => openTemplate(id, administrator, { ...test.deps, validator })
    const refusal = { status: 503, message: noticeMessages.unavailable }
    await expect(openWithoutValidator()).rejects.toMatchObject(refusal)

    const made = await test.call('GET', `/api/DataDictionary/${id}/Template`, { as: test.administrator })
    const { file } = await openWithoutValidator()
    expect(await file.readFile()).toEqual(made.rawPayload)
    await file.close()

    const renamed = { name: `Claims ${crypto.randomUUID()}` }
    await test.call('PUT', `/api/DataDictionary?id=${id}`, { as: test.administrator, body: renamed })
    await expect(openWithoutValidator()).rejects.toMatchObject(refusal)
  })

  it('is never that of another database with the same version id', async () => {
    const portals = await Promise.all([createTestApp(), createTestApp()])
    onTestFinished(() => Promise.all(portals.map((portal) => portal.close())).then(() => {}))
    const [first, second] = portals
    second.deps.generatedFiles = first.deps.generatedFiles
    const templates = []
    for (const { deps, call, administrator } of portals) {
      const { id } = await buildDictionary(deps.db, { fields: [{ itemName: `Of ${administrator.email}` }] })
      templates.push(
        (await call('GET', `/api/DataDictionary/${id}/Template`, { as: administrator })).rawPayload,
      )
    }
    expect(templates[0]).not.toEqual(templates[1])
  })
})
