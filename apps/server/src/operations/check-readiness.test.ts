import { expect, it } from 'vitest'
import { checkReadiness } from '#operations/check-readiness.ts'
import { createTestApp } from '#test/test-app.ts'

it('Calls at the same moment share a check, which begins after each of them', async () => {
  const { deps, close } = await createTestApp()
  let checks = 0
  const check = () => {
    checks++
    return deps.storage.check()
  }
  const counted = { ...deps, storage: { ...deps.storage, check } }
  const all = await Promise.all(Array.from({ length: 100 }, () => checkReadiness(counted)))
  expect(all.filter(({ failing }) => failing.includes('storage'))).toEqual([])
  expect(checks).toBe(2)
  await close()
})
