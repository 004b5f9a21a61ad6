import { expect, it } from 'vitest'
import { trackedTexts } from './tracked-texts.ts'

it('Each migration exports its SQL as statements', () => {
  const files = trackedTexts.filter(({ file }) => file.includes('/database/migrations/'))
  expect(files.length).toBeGreaterThan(30)
  for (const { file, text } of files)
    expect(text, file).toMatch(/^export const statements(?:: readonly string\[\])? = /m)
})
