import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namedTestFiles, namedTests, problemOfTest } from './named-tests.ts'

/**
 * The levels of all requirements of ASVS 5.0.0 by section, in the order of their numbers: 1.2.4 is the fourth
 * of '1.2'.
 */
const levels: Readonly<Record<string, string>> = {
  '1.1': '22',
  '1.2': '1111122223',
  '1.3': '112222222223',
  '1.4': '222',
  '1.5': '123',
  '2.1': '122',
  '2.2': '112',
  '2.3': '12223',
  '2.4': '23',
  '3.1': '3',
  '3.2': '113',
  '3.3': '12223',
  '3.4': '11222233',
  '3.5': '11122333',
  '3.6': '3',
  '3.7': '22333',
  '4.1': '12233',
  '4.2': '23333',
  '4.3': '22',
  '4.4': '1222',
  '5.1': '2',
  '5.2': '112333',
  '5.3': '113',
  '5.4': '222',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '11223333',
  '6.4': '112233',
  '6.5': '22222333',
  '6.6': '2223',
  '6.7': '33',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '223',
  '7.6': '22',
  '8.1': '1233',
  '8.2': '1123',
  '8.3': '133',
  '8.4': '23',
  '9.1': '111',
  '9.2': '1222',
  '10.1': '22',
  '10.2': '223',
  '10.3': '22223',
  '10.4': '1111122222233333',
  '10.5': '22222',
  '10.6': '22',
  '10.7': '222',
  '11.1': '2233',
  '11.2': '22233',
  '11.3': '11233',
  '11.4': '1222',
  '11.5': '23',
  '11.6': '23',
  '11.7': '33',
  '12.1': '12233',
  '12.2': '11',
  '12.3': '22223',
  '13.1': '2333',
  '13.2': '222223',
  '13.3': '2233',
  '13.4': '1222233',
  '14.1': '22',
  '14.2': '12223333',
  '14.3': '122',
  '15.1': '12233',
  '15.2': '12233',
  '15.3': '1222222',
  '15.4': '3333',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '2223',
  '17.1': '23',
  '17.2': '22223333',
  '17.3': '22',
}
/** All requirements without those of level 3, which asks for hardware and more than one factor. */
const expected = Object.entries(levels).flatMap(([section, all]) =>
  [...all].map((level, at) => ({ number: `${section}.${at + 1}`, level })).filter(({ level }) => level < '3'),
)

type Row = { number: string; level: string; status: string; evidence: string }
const page = readFileSync(join(import.meta.dirname, '../../docs/ASVS.md'), 'utf8')
const rows: Row[] = [
  ...page.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| [^|]+ \| ([^|]+) \| ([^|]*) \|$/gm),
].map(([, number = '', level = '', status = '', evidence = '']) => ({ number, level, status, evidence }))
const statuses = ['holds', 'partly', 'not met', 'does not apply']

/** What is wrong with a row. The reason is the text of its evidence without the names of tests. */
function problemsOf({ status, evidence }: Row): string[] {
  const tests = namedTests(evidence)
  const reason = evidence.replaceAll(/`[\w./-]+\.test\.ts`(?:,? "[^"]+")+/g, '').replaceAll(/[\s,.;]/g, '')
  const problems = tests.map(problemOfTest).filter((problem) => problem !== null)
  const untitled = namedTestFiles(evidence).filter((file) => !tests.some((test) => test.file === file))
  if (!statuses.includes(status)) problems.push(`${status} is no status`)
  problems.push(...untitled.map((file) => `${file} without a title`))
  if (status === 'holds' && tests.length === 0 && reason.length < 8) problems.push('neither test nor reason')
  if (status !== 'holds' && reason.length < 8) problems.push(`no reason why it is "${status}"`)
  return problems
}

describe('docs/ASVS.md', () => {
  it('has all 253 requirements of levels 1 and 2 once, in order, with their levels', () => {
    expect(expected).toHaveLength(253)
    expect(rows.map(({ number, level }) => ({ number, level }))).toEqual(expected)
  })

  it.for(rows)('names for $number tests that exist, or gives a reason', (row) => {
    expect(problemsOf(row)).toEqual([])
  })

  it('states how many rows have each status', () => {
    const counts = statuses.map((status) => rows.filter((row) => row.status === status).length)
    expect(page).toContain(`\n| ${statuses.join(' | ')} |\n|---|---|---|---|\n| ${counts.join(' | ')} |\n`)
  })

  it.for([
    ['holds', ''],
    ['holds', '`scripts/guards/asvs.test.ts` "no such title"'],
    ['holds', '`scripts/guards/asvs.test.ts`'],
    ['partly', '`scripts/guards/asvs.test.ts` "states how many rows have each status"'],
    ['not met', ''],
    ['perhaps', 'because of the weather'],
  ] as const)('a row with status "%s" and evidence "%s" is reported', ([status, evidence]) => {
    expect(problemsOf({ number: '1.1.1', level: '2', status, evidence })).not.toEqual([])
  })
})
