import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { migrate } from '#platform/database/migrate.ts'
import { portalItself } from '#platform/access/viewer.ts'
import { findAuditChain } from '#audit/audit-chain.ts'
import { ensureSigningKey, signContent } from '#platform/signing/receipt-keys.ts'
import { linkAuditTrail } from '#audit/keep-audit-trail.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { bundledPrograms } from '#test/bundled-programs.ts'
import { programEnv } from '#test/portal-process.ts'
import pino from 'pino'

const commandLine = join(import.meta.dirname, '../../../cli/src/main.mjs')

async function verify(
  env: Record<string, string>,
  ...options: string[]
): Promise<{ code: number; output: string }> {
  const program = join(await bundledPrograms(), 'verify-audit.js')
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...options],
      { env: { ...programEnv(), ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    )
  })
}

let dataDir = ''
let embedded: EmbeddedPostgres
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'veridict-audit-'))
  chmodSync(dataDir, 0o755)
  embedded = await startEmbeddedPostgres({ dataDir, isFast: true, log: () => {} })
  await migrate(embedded.url)
  await withDatabase(async (db) => {
    for (const subject of ['a', 'b'])
      await recordAudit({ action: 'link.sent', subject }, db, { caller: portalItself })
    await linkAuditTrail({ db, log: pino({ level: 'silent' }) })
  })
})
afterAll(async () => {
  await embedded.stop()
  rmSync(embedded.folder, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
})

async function withDatabase(work: (db: ReturnType<typeof openDatabase>) => Promise<void>): Promise<void> {
  const db = openDatabase(embedded.url)
  await work(db).finally(() => db.destroy())
}

describe('veridict audit verify', () => {
  it('prints that the chain holds, at DATABASE_URL or in a DATA_DIR, in use or not', async () => {
    const holds = { code: 0, output: 'The chain holds: 2 entries.\n' }
    expect(await verify({ DATABASE_URL: embedded.url })).toEqual(holds)
    expect(await verify({ DATA_DIR: dataDir })).toEqual(holds)
    await embedded.stop()
    expect(await verify({ DATA_DIR: dataDir })).toEqual(holds)
    embedded = await startEmbeddedPostgres({ dataDir, isFast: true, log: () => {} })
  })

  it('prints what it found as JSON', async () => {
    const { code, output } = await verify({ DATABASE_URL: embedded.url }, '--json')
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const removed = { removedByRetention: 0, removedFrom: null, removedTo: null }
    const rest = { unlinked: 0, fault: null }
    expect([code, JSON.parse(output)]).toEqual([
      0,
      { entries: 2, first: time, last: time, ...removed, ...rest, holds: true },
    ])
  })

  it('compares the trail with a head: 0 it fits, 1 it does not, 2 the file is no head', async () => {
    const path = join(dataDir, 'head.json')
    const verifyWith = async (change: object) => {
      await withDatabase(async (db) => {
        const identity = sql`insert into storage_identity (id, is_confirmed) values ('s', true)`
        await sql`${identity} on conflict do nothing`.execute(db)
        const { lastPlace: place, lastHash: hash } = await findAuditChain(db)
        const head = {
          type: 'veridict audit head',
          portal: 'http://localhost:3000',
          storage: 's',
          place,
          hash,
          ...change,
        }
        const removed = { at: new Date().toISOString(), removedByRetention: 0, removedHash: '' }
        writeFileSync(
          path,
          JSON.stringify(signContent({ ...removed, ...head }, await ensureSigningKey({ db }))),
        )
      })
      return verify({ DATABASE_URL: embedded.url }, '--head', path)
    }
    const fits = /^The chain holds: 2 entries\.\nIt fits the head of .*Z\.\n$/
    expect(await verifyWith({})).toEqual({ code: 0, output: expect.stringMatching(fits) })
    const setBack = { code: 1, output: expect.stringContaining('The trail was set back: it has 2 entries') }
    expect(await verifyWith({ place: 3 })).toEqual(setBack)
    writeFileSync(path, '{}')
    const none = { code: 2, output: expect.stringContaining('is not a head of an audit trail') }
    expect(await verify({ DATABASE_URL: embedded.url }, '--head', path)).toEqual(none)
    rmSync(path)
  })

  // Only on Linux: a device that is as full as a disk can be.
  it.for(existsSync('/dev/full') ? ['/dev/full'] : [])(
    'exits with 2 when its output cannot be written: %s',
    (path) => {
      const full = openSync(path, 'w')
      const { status, stderr } = spawnSync(process.execPath, [commandLine, 'audit', 'verify'], {
        env: { ...process.env, DATABASE_URL: embedded.url },
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      })
      closeSync(full)
      expect([status, stderr]).toEqual([2, expect.stringContaining('ENOSPC')])
    },
  )

  it('names the first entry that was changed (1)', async () => {
    await withDatabase(async (db) => {
      await sql`alter table audit_entries disable trigger user`.execute(db)
      await sql`update audit_entries set subject = 'x' where id = 2`.execute(db)
    })
    const { code, output } = await verify({ DATABASE_URL: embedded.url })
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('The chain does not hold. It breaks at entry 2 of'),
    ])
  })

  it('checks nothing without a database, and creates none (2)', async () => {
    const { code, output } = await verify({ DATA_DIR: join(dataDir, 'other') })
    expect([code, output]).toEqual([2, expect.stringContaining('There is no database in')])
  })
})
