import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namedTests } from './named-tests.ts'

const page = readFileSync(join(import.meta.dirname, '../../SECURITY.md'), 'utf8')
const section = page.split(/^## /m).find((text) => text.startsWith('Attacks and measures')) ?? ''
const rows = [...section.matchAll(/^\| (?!Attack )([A-Z][^|]+) \|(.+)\|$/gm)].map(
  ([, attack = '', rest = '']) => ({ attack, rest }),
)

describe('SECURITY.md', () => {
  it('has attacks and measures', () => {
    expect(rows.length).toBeGreaterThan(15)
  })

  it.for(rows)('shows by a test what is done about: $attack', ({ rest }) => {
    expect(namedTests(rest)).not.toEqual([])
  })
})
