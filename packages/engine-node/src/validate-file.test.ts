import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Field } from '@veridict/contract/model/field'
import { portalGuards } from '@veridict/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rangeThreads } from '#range-threads.ts'
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
    { what: 'good rows', rows: '1,ab\n'.repeat(20_000) },
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

  it('reports a progress that grows, and never beyond the size', async () => {
    const path = fileOf(`Id,Note\n${'1,ab\n'.repeat(400_000)}`)
    const seen: number[] = []
    const sizes = new Set<number>()
    await validateFile(path, 'data.csv', FIELDS, {
      threads,
      onProgress: (bytes, size) => {
        seen.push(bytes)
        sizes.add(size)
      },
    })
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBeLessThanOrEqual(2_000_008)
    expect([...sizes]).toEqual([2_000_008])
  })
})

describe('Threads that validate ranges', () => {
  const task = { fileName: 'data.csv', fields: FIELDS, limits: portalGuards, currentYear: 2026 }

  it('fail where the file no longer exists', async () => {
    const workers = rangeThreads(1, { ...task, path: join(folder, 'gone.csv') })
    await expect(workers.validate([{ from: 8, to: Infinity }]).validated).rejects.toThrow('ENOENT')
  })

  it('fail where one of them ends without a result', async () => {
    const workers = rangeThreads(2, { ...task, path: fileOf('Id,Note\n1,ab\n') })
    const { validated } = workers.validate([{ from: 8, to: Infinity }])
    workers.end()
    await expect(validated).rejects.toThrow('without a result')
  })
})
