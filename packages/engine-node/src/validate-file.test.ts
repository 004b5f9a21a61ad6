import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Field } from '@veridict/contract/model/field'
import { bytesSource, type FilterThreads, validateTable } from '@veridict/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filterThreads } from '#filter-threads.ts'
import { nodePlatform } from '#node-platform.ts'
import { validateFile } from '#read-files.ts'

const FIELDS: Field[] = [
  { name: 'Id', description: '', category: '', required: true, rule: { type: 'number', scale: 0 } },
  { name: 'Note', description: '', category: '', required: false, rule: { type: 'text', maxLength: 5 } },
]
const threads = { count: 3, fromBytes: 1000 }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'veridict-threads-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(text: string): string {
  const path = join(folder, 'data.csv')
  writeFileSync(path, text)
  return path
}

describe('A file validated by several threads', () => {
  it.for([
    { what: 'good rows in several ranges', rows: '1,ab\n'.repeat(4_000_000) },
    { what: 'bad rows and blank ones', rows: '1,ab\nx,"too\nlong"\n\n'.repeat(20_000) },
    { what: 'a quoted cell over every cut', rows: `1,"${'2,cd\n'.repeat(6000)}"\n3,ef\n` },
    { what: 'U+FFFD at the end', rows: `${'1,ab\n'.repeat(20_000)}1,\ufffd\n` },
    { what: 'a quote that a later one closes', rows: `1,"ab\n${'1,ab\n'.repeat(20_000)}1,"ab"\n` },
    { what: 'a quote never closed', rows: `${'1,ab\n'.repeat(20_000)}1,"ab\n` },
  ])('has the verdict of one thread: $what', async ({ rows }) => {
    const path = fileOf(`Id,Note\n${rows}`)
    for (const limits of [{}, { maxErrorRows: Infinity, maxCauseRows: 1 }]) {
      const alone = await validateFile(path, 'data.csv', FIELDS, limits)
      expect(await validateFile(path, 'data.csv', FIELDS, { ...limits, threads })).toEqual(alone)
    }
  })
})

describe('Threads that fail', () => {
  /** Several ranges, and a bad cell in the last one. */
  const text = `Id,Note\n${'1,ab\n'.repeat(1_000_000)}x,ab\n`

  const verdictWith = (threads?: FilterThreads) => {
    const source = bytesSource(new TextEncoder().encode(text))
    return validateTable({ source, fileName: 'data.csv', fields: FIELDS, platform: nodePlatform(), threads })
  }

  it.for([
    { why: 'the file no longer exists', path: 'gone.csv', isEnded: false },
    { why: 'they end early', path: 'data.csv', isEnded: true },
  ])('do not change the verdict: $why', async ({ path, isEnded }) => {
    fileOf(text)
    const source = bytesSource(new TextEncoder().encode(text))
    const threads = filterThreads(2, join(folder, path), source)
    if (isEnded) threads.end()
    expect(await verdictWith(threads)).toEqual(await verdictWith())
    threads.end()
  })
})
