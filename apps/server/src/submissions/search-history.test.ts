import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { isLong } from '@veridict/engine/test/runs'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { UserRow } from '#platform/database/tables.ts'
import { Gate, type GateSettings } from '#platform/admission/gate.ts'
import type { Scope } from '#platform/access/viewer.ts'
import { searchSubmissions } from '#submissions/submission-history.ts'
import { buildSubmission, buildUser } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const { InProcess, ValidationFailed } = SubmissionStatus
const copied = 'company_id, user_id, dictionary_version_id, dictionary_name, file_kind, bytes, sha256'

let portal: TestApp
let scope: Scope
let template: number
beforeAll(async () => {
  portal = await createTestApp()
  scope = { companyId: portal.clerk.companyId ?? 0, userId: null, tokenId: null }
  return () => portal.close()
})

/** Leaves one file. Deleted rows would stay in the table and its indexes. */
async function clear(): Promise<void> {
  await sql`truncate submissions cascade`.execute(portal.owner)
  const first = { userId: portal.clerk.id, companyId: scope.companyId, fileName: 'x' }
  template = (await buildSubmission(portal.deps.db, first)).id
}
/** In two statuses by turns: the index of a search has the files that move no more, and not the others. */
const addFiles = (names: readonly string[]) =>
  portal.owner.transaction().execute(async (trx) => {
    // Does not look up the keys of each row, which are those of the template: a fifth of the time.
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`
      insert into submissions (file_name, status, storage_key, ${sql.raw(copied)})
      select name, 1 + place % 2, gen_random_uuid(), ${sql.raw(copied)}
      from submissions, unnest(${names}::text[]) with ordinality as added (name, place) where id = ${template}
    `.execute(trx)
  })
/** In parts, because a statement has a time limit. */
const addMany = async (name: string, count: number) => {
  const added = Array.from({ length: count }, (_, index) => `${name} ${index + 1}.csv`)
  for (let start = 0; start < count; start += 1000) await addFiles(added.slice(start, start + 1000))
}

const names = ['Claims.csv', 'claims_20.CSV', 'q', "it's", 'a\\b', '100%', 'a_b', 'a:*b', "''", 'A&B|!', ' ']
const others = ['ÜBER', 'über', '😀x', 'tab\tbed', 'x'.repeat(200)]
/** Letters whose lower case is another one, is two, or depends on the place; marks; odd characters. */
const letters = ['İ', 'I', 'ı', 'i', 'ß', 'ẞ', 's', 'Σ', 'σ', 'ς', 'É', 'e\u0301', '\u0301']
letters.push('👩‍👩‍👧', '\u200b', 'ﬁ', 'Ǆ', 'K', '\u0001', '\ufeff', ' ', "'", '\\', '%', '_', '|', ':', '=')
/** All words of two letters, one after the other: so each word of three lies in it in part only. */
const pairs = letters.map((first) => letters.map((second) => first + second).join(''))
const terms = [
  'c',
  'CL',
  'Q',
  'z',
  'zq',
  "'",
  "''",
  '\\',
  '%',
  '_',
  ':',
  '*',
  ':*',
  'ü',
  'Üb',
  '😀',
  '😀X',
  '\t',
]

describe('A search', () => {
  /** Finds the same as looking at each name, with each text whose place is a multiple of `every`. */
  async function expectSameNames(every: number): Promise<void> {
    const parts = [...letters, ...pairs.map((text) => text.slice(1, 6)), pairs[0]!, 'iss', 'ΣΣ', "=''"]
    const texts = [...terms, ...parts, 'v', 'sv', '&', 'b|', 'claims', ' ', 'bed', 'xx', 'xxxx']
    const all = [InProcess, ValidationFailed]
    for (const [index, SearchText] of texts.entries()) {
      if (index % every > 0) continue
      const Status = [all, [InProcess], [ValidationFailed]][index % 3] as SubmissionStatus[]
      const paging = { SearchText, Status, PageNumber: 1, PageSize: 40_000 }
      const pattern = `%${SearchText.replaceAll(/[\\%_]/g, '\\$&')}%`
      const { rows } = await sql<{ id: number }>`
        select id from submissions where file_name ilike ${pattern} and status = any(${Status})
        order by id desc
      `.execute(portal.owner)
      const found = { count: rows.length, ids: rows.map(({ id }) => id) }
      expect(await searchSubmissions(portal.deps.db, scope, paging), SearchText).toEqual(found)
    }
  }

  it('finds the same names among few files as looking at each', async () => {
    await clear()
    await addFiles([...names, ...others, ...pairs])
    await expectSameNames(1)
  })

  describe('among many files', () => {
    beforeAll(async () => {
      await clear()
      await addFiles([...names, ...others, ...pairs])
      await addMany('old', 11_000)
      await addMany('new', 21_000)
      await addMany('few', 12)
      await sql`analyze submissions`.execute(portal.owner)
    })

    // A search takes longer there.
    it('finds the same names as looking at each', () => expectSameNames(isLong ? 1 : 5))

    it('has the right pages for many old files, many new ones and few', async () => {
      const page = async (SearchText: string, query = '') => {
        const url = `/api/FileSubmission?SearchText=${SearchText}${query}`
        const { data, ...totals } = (await portal.call('GET', url, { as: portal.clerk })).json().value
        return { first: data[0]?.fileName, rows: data.length, ...totals }
      }
      const bounded = { rows: 10, totalCount: 10_000, totalPages: 1000, totalIsLowerBound: true }
      const last = { rows: 10, totalIsLowerBound: false }
      const ofFew = { first: 'few 2.csv', rows: 2, totalCount: 12, totalPages: 2, totalIsLowerBound: false }
      const half = { rows: 5500, totalCount: 5500, totalIsLowerBound: false }
      for (const [old, recent, few, none] of [
        ['OLD', 'new', 'few', 'zqz'],
        ['ol', 'NE', 'fe', 'z'],
      ] as const) {
        expect(await page(old)).toEqual({ first: 'old 11000.csv', ...bounded })
        expect(await page(recent)).toEqual({ first: 'new 21000.csv', ...bounded })
        const [ofOld, ofRecent] = [
          await page(old, '&PageNumber=1100'),
          await page(recent, '&PageNumber=2100'),
        ]
        expect(ofOld).toEqual({ first: 'old 10.csv', totalCount: 11_000, totalPages: 1100, ...last })
        expect(ofRecent).toEqual({ first: 'new 10.csv', totalCount: 21_000, totalPages: 2100, ...last })
        expect(await page(recent, '&PageNumber=2101')).toMatchObject({ rows: 0 })
        expect(await page(few, '&PageNumber=2')).toEqual(ofFew)
        expect(await page(none)).toMatchObject({ rows: 0, totalCount: 0 })
        expect(await page(old, '&Status=3')).toMatchObject({ rows: 0, totalCount: 0 })
        expect(await page(old, '&Status=1&PageSize=20000')).toMatchObject(half)
        expect(await page(old, '&Status=2&PageSize=20000')).toMatchObject(half)
      }
    })

    it.for(['fe', 'few'])('for %s reads its index, although rows are limited by company', async (text) => {
      const countScans = async () => {
        const url = `/api/FileSubmission?SearchText=${text}`
        const { value } = (await portal.call('GET', url, { as: portal.clerk })).json()
        expect(value.totalCount).toBe(12)
        const { rows } = await sql<{ scans: number }>`
          select idx_scan as scans from pg_stat_user_indexes where indexrelname = 'submissions_settled_search'
        `.execute(portal.owner)
        return rows[0]?.scans ?? 0
      }
      const before = await countScans()
      await expect.poll(countScans, { interval: 500 }).toBeGreaterThan(before)
    })
  })

  it('finds the newest, and counts, where few of many matches are new', async () => {
    const cases = [
      { text: 'old', old: 10_500, count: { totalCount: 10_000, totalIsLowerBound: true } },
      { text: 'sum', old: 5000, count: { totalCount: 5020, totalIsLowerBound: false } },
    ]
    await clear()
    for (const { text, old } of cases) await addMany(text, old)
    // As after a restore.
    await sql`select setval('submissions_id_seq', nextval('submissions_id_seq') + 500000000)`.execute(
      portal.owner,
    )
    await addMany('new', 10_000)
    for (const { text } of cases) await addMany(text, 20)
    for (const { text, old, count } of cases) {
      for (const searched of [text, text.slice(0, 2)]) {
        const page = async (number: number) => {
          const url = `/api/FileSubmission?SearchText=${searched}&PageNumber=${number}`
          return (await portal.call('GET', url, { as: portal.clerk })).json().value
        }
        expect(await page(1)).toMatchObject({
          data: [{ fileName: `${text} 20.csv` }, ...Array(9).fill({})],
          ...count,
        })
        expect((await page(3)).data[0]).toMatchObject({ fileName: `${text} ${old}.csv` })
      }
    }
  })
})

describe('Long reads of a company', () => {
  const read = (query: string, as: UserRow) =>
    portal.call('GET', `/api/FileSubmission?${query}`, { as }).then(({ statusCode }) => statusCode)

  /** Until the test ends. One at a time, after `first`. */
  function runOneAtATime(settings: GateSettings) {
    const { limits } = portal.deps
    const { longReads } = limits
    const { promise, resolve } = Promise.withResolvers<void>()
    onTestFinished(() => {
      limits.longReads = longReads
      resolve()
    })
    limits.longReads = new Gate({ concurrency: 1, ...settings })
    return { first: limits.longReads.run('other', () => promise), endFirst: resolve }
  }

  it('take turns by person, however many of one wait', async () => {
    const colleague = await buildUser(portal.deps.db, { companyId: scope.companyId })
    const keys: string[] = []
    const { first, endFirst } = runOneAtATime({ groupOf: (key) => (keys.push(key), 'one company') })
    const ended: string[] = []
    const search = (text: string, as: UserRow) =>
      read(`SearchText=${text}`, as).then((status) => ended.push(`${text} ${status}`))
    const own = Array.from({ length: 8 }, (_, index) => search(`own${index}`, portal.clerk))
    // A search that has to wait asks for its group at most twice, so at least four wait.
    await expect.poll(() => keys.length).toBeGreaterThan(8)
    const ofColleague = search('hers', colleague)
    await expect.poll(() => new Set(keys).size).toBe(3)
    endFirst()
    await Promise.all([first, ...own, ofColleague])
    // It is the second to start. A response may overtake one that is sent at the same time.
    expect(ended.slice(0, 3)).toContain('hers 200')
  })

  it('are also pages far back', async () => {
    const { first, endFirst } = runOneAtATime({ maxWaiting: 0 })
    expect(await read('PageNumber=1000&PageSize=10', portal.clerk)).toBe(200)
    expect(await read('PageNumber=1001&PageSize=10', portal.clerk)).toBe(429)
    endFirst()
    await first
    expect(await read('PageNumber=1001&PageSize=10', portal.clerk)).toBe(200)
  })
})
