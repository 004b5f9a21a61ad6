import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ruleTypes } from '@veridict/contract/model/rule'
import { describe, expect, it } from 'vitest'
import { endpoints } from '@veridict/contract/api/endpoints'

const CONTRACT = join(import.meta.dirname, '../../packages/contract/src')
/** The source of a number or a sentence: a heading of BEHAVIOUR, a standard, or "Ours". */
const SOURCE = /docs\/BEHAVIOUR\.md#|RFC \d+|Excel's own|[Oo]urs\b/

describe('Every endpoint of the contract', () => {
  const all = Object.entries(endpoints)

  it.for(all)('%s has a summary and says who may call it', ([name, endpoint]) => {
    expect(
      endpoint.summary.length,
      `${name} needs a summary of a few words; /api/docs shows it`,
    ).toBeGreaterThan(5)
    expect(
      ['public', 'loggedIn', 'companyUser', 'uploader', 'reader', 'uploaderOrReader', 'superAdmin'],
      `${name} needs "access"`,
    ).toContain(endpoint.access)
  })

  it.for(all)('%s declares the parameters that its path names', ([, { path, params }]) => {
    const named = [...path.matchAll(/:(\w+)/g)].map((match) => match[1])
    expect(Object.keys(params?.shape ?? {}).sort()).toEqual(named.sort())
  })

  it('has its own address', () => {
    const addresses = all.map(([, { method, path }]) => `${method} ${path}`)
    expect(addresses).toEqual([...new Set(addresses)])
  })
})

describe('Every file of limits and messages', () => {
  it.for(globSync(['limits.ts', 'messages/*.ts'], { cwd: CONTRACT, exclude: ['**/*.test.ts'] }))(
    '%s names the source of its values',
    (file) => {
      const text = readFileSync(join(CONTRACT, file), 'utf8')
      expect(
        text,
        `${file}: say in a comment where it comes from, like "docs/BEHAVIOUR.md#cells" or "Ours"`,
      ).toMatch(SOURCE)
    },
  )
})

describe('Every rule type', () => {
  it.for(ruleTypes)('%s has its table of cases in packages/engine/test/cases', (name) => {
    const file = join(CONTRACT, '../../engine/test/cases', `${name}.json`)
    const groups = JSON.parse(readFileSync(file, 'utf8')) as { cases: { why: string }[] }[]
    const reasons = groups.flatMap(({ cases }) => cases.map(({ why }) => why))
    expect(reasons.length, 'a rule type needs more than five cases').toBeGreaterThan(5)
    expect(reasons.every(Boolean), 'each case needs a reason (why)').toBe(true)
  })
})
