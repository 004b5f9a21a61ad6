import { expect, it } from 'vitest'
import { trackedTexts } from './tracked-texts.ts'

it('Each migration is a file of SQL', () => {
  const files = trackedTexts.filter(({ file }) => file.includes('/database/migrations/'))
  expect(files.length).toBeGreaterThan(30)
  for (const { file } of files) expect(file).toMatch(/\/\d{4}-[\w-]+\.sql$/)
})
