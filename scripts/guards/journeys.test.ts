import { describe, expect, it } from 'vitest'
import { trackedTexts } from './tracked-texts.ts'

/** A page changes after an action, so what is read once may be what it showed before, or not yet. */
const readOnce = /\bexpect\(\s*[([]*\s*await\b|\bexpect\([^\n]*\.url\(\)/
const advice =
  'is read once. What a page shows: `await expect.poll(() => …)`. A response: `await expect(…).resolves`.'

describe('A journey that expects what it reads of a page once', () => {
  it.for([
    'expect(await rows().count()).toBe(1)',
    'expect((await names()).slice(1)).toEqual([])',
    'expect(\n  await names(),\n).toEqual([])',
    'expect([await names(), 1]).toEqual([[], 1])',
    "expect(new URL(page.url()).pathname).toBe('/')",
  ])('is found where it is planted: %s', (planted) => expect(planted).toMatch(readOnce))

  it.for(['await expect.poll(() => rows().count()).toBe(1)', 'await expect(settled(id)).resolves.toBe(1)'])(
    'is not taken for another: %s',
    (allowed) => expect(allowed).not.toMatch(readOnce),
  )

  it('is none of ours', () => {
    const found = trackedTexts
      .filter(({ file }) => /^e2e\/.*\.ts$/.test(file))
      .flatMap(({ file, text }) =>
        [...text.matchAll(new RegExp(readOnce, 'g'))].map(({ index }) => [file, index, text] as const),
      )
      .map(([file, index, text]) => `${file}:${text.slice(0, index).split('\n').length} ${advice}`)
    expect(found).toEqual([])
  })
})
