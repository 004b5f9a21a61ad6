// Measures lists and searches on a database that many-rows.sql has filled, whose address is DATABASE_URL:
// `node bench/load/many-rows.ts [calls of each kind] [first word of the part]`.
import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Role } from '@veridict/contract/model/role'
import { openDatabase } from '../../apps/server/src/platform/database/database.ts'
import { type PortalProcess, startPortalProcess } from '../../apps/server/src/test/portal-process.ts'
import { machineLine } from '../print.ts'
import { openSessions, portalSettings } from './testbed.ts'
import type { Clerk } from './clients/http.ts'
import { countStatuses, type Figure, figureTable, inMilliseconds, timesFigure } from './figures.ts'
import { runClient } from './run-clients.ts'

const [calls, only] = [Number(process.argv[2] ?? 200), process.argv[3] ?? '']
const DATABASE_URL = process.env.DATABASE_URL ?? ''
const db = openDatabase(DATABASE_URL)
const env = {
  ...portalSettings,
  DATABASE_URL,
  DATA_DIR: mkdtempSync(join(tmpdir(), 'veridict-many-rows-')),
  METRICS_TOKEN: 'a-token-for-the-metrics',
}

const hex = (length: number) => randomUUID().slice(0, length)
const month = () => `${2022 + randomInt(4)}-${String(1 + randomInt(12)).padStart(2, '0')}`
const email = () => `clerk-${1 + randomInt(1000)}@many-rows-0.example`
const paged = (number: number, query = '') => `?PageSize=10&PageNumber=${number}${query}`
const days = (of: string) => paged(1, `&From=${of}-01&To=${of}-28`)
const found = (text: string, query = '') => paged(1, `&SearchText=${encodeURIComponent(text)}${query}`)
/** What is asked for, and the query of a call. */
type Kinds = Record<string, () => string>
const searches: Kinds = {
  'search for what half of the rows have': () => found('claims'),
  'search for what one of 100,000 has': () => found('amendment'),
  'search for five random characters': () => found(hex(5)),
  'search for a month': () => found(month()),
  'search for two characters': () => found(hex(2)),
  'search for what none has': () => found('zzq'),
}
const pages: Kinds = {
  'first page': () => paged(1),
  'page 90,000': () => paged(90_000),
  'page 250,000': () => paged(250_000),
  'any page up to 250,000': () => paged(1 + randomInt(250_000)),
}
const history: Kinds = {
  ...pages,
  'of a status': () => paged(1, `&Status=${randomInt(7)}`),
  ...searches,
  'search of a status': () => found('claims', `&Status=${randomInt(7)}`),
}
const audit: Kinds = {
  ...pages,
  'of an action': () => paged(1, '&Action=login.succeeded'),
  'of a person': () => paged(1, `&UserId=${largest[randomInt(largest.length)]!.id}`),
  'of a company': () => paged(1, `&CompanyId=${largest[0]!.companyId! + randomInt(200)}`),
  'of a month': () => days(month()),
  ...searches,
  'search for an e-mail': () => found(email()),
  'search of a person': () => found('claims', `&UserId=${largest[randomInt(largest.length)]!.id}`),
}

const people = db.selectFrom('users').selectAll()
const largest = await people.where('email', 'like', '%@many-rows-0.example').execute()
console.log(`${machineLine()}; p50 · p95 of ${calls} calls each`)
for (const HISTORY_SCOPE of ['company', 'user']) {
  const portal = await startPortalProcess({ ...env, HISTORY_SCOPE }, 'web')
  try {
    const clerks = await openSessions(db, largest.slice(0, HISTORY_SCOPE === 'user' ? 1 : 20))
    await measure(`history as ${HISTORY_SCOPE}`, '/api/FileSubmission', history, portal, clerks)
    if (HISTORY_SCOPE === 'user') break
    const administrators = await people.where('role', '=', Role.SuperAdmin).limit(1).execute()
    const [administrator] = await openSessions(db, administrators)
    await measure('audit trail', '/api/AuditTrail', audit, portal, [administrator])
    await measure('Operation', '/api/Admin/Operation', { screen: () => '' }, portal, [administrator])
    const prometheus = { ...administrator, token: env.METRICS_TOKEN }
    await measure('metrics', '/metrics', { metrics: () => '' }, portal, [prometheus])
  } finally {
    await portal.end('SIGTERM')
  }
}
await db.destroy()
rmSync(env.DATA_DIR, { recursive: true })

async function measure(part: string, call: string, kinds: Kinds, portal: PortalProcess, clerks: Clerk[]) {
  if (!part.startsWith(only)) return
  const figures: Figure[] = []
  const target = { address: portal.address, apiKey: env.API_KEY }
  for (const [what, query] of Object.entries(kinds)) {
    const paths = Array.from({ length: calls }, () => call + query())
    const sent = await runClient('request', { target, clerks, paths, count: calls, atOnce: 1 })
    const times = sent.map(({ ms }) => ms)
    const statuses = countStatuses(sent.map(({ status }) => status))
    const line = `${what}; shortest ${inMilliseconds(Math.min(...times))}; ${statuses}`
    figures.push({ part, ...timesFigure(line, times, { percentile: 95, atMost: 100 }) })
  }
  console.log(figureTable(figures))
}
