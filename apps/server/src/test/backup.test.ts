import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import type { Db } from '#platform/database/tables.ts'
import { findLastRuns, isNewlyRestored } from '#platform/database/marks.ts'
import { bundledPrograms } from '#test/bundled-programs.ts'
import { programEnv, type PortalProcess } from '#test/portal-process.ts'
import { createEmptyDatabase, type TestDatabase } from '#test/test-database.ts'
import { createTestPortals, type TestPortals } from '#test/test-portals.ts'

/** A portal is backed up while people upload, and then restored. */
const commandLine = join(import.meta.dirname, '../../../cli/src/main.mjs')
const { ValidationFailed, IngestionSuccess } = SubmissionStatus
const soon = { timeout: 50_000, interval: 100 }

let portals: TestPortals
let folder: string
let db: Db
/** The 2xx uploads: name and id, and whether they were there before the backup began. */
const uploads: { name: string; id: number; isBefore: boolean }[] = []
const restored: TestDatabase[] = []
/** Of a restored portal on which no portal works: in the first one's storage another has taken files over. */
let unused: ReturnType<typeof envOf>

const inFolder = (name: string) => join(folder, name)
const envOf = (url: string, storage: string) => ({
  ...portals.settings,
  DATABASE_URL: url,
  DATA_DIR: inFolder(`data-${storage}`),
  STORAGE_URL: inFolder(storage),
})
const start = (url: string, storage: string) => portals.start(envOf(url, storage))
type Result = { code: number; output: string }
const execute = (env: Record<string, string>, ...program: string[]): Promise<Result> =>
  new Promise((resolve) => {
    execFile(process.execPath, program, { env: { ...programEnv(), ...env } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    )
  })
/** Runs the program that the command line starts. */
const veridict = async (env: Record<string, string>, command: string, ...args: string[]): Promise<Result> =>
  execute(env, join(await bundledPrograms(), `${programs[command] ?? command}.js`), ...args)
const programs: Readonly<Record<string, string>> = { backup: 'back-up' }

const contentOf = (name: string) =>
  `Name,Amount\n${`${name},1.50\n`.repeat(2000)}${name.startsWith('bad') ? 'Ada,one\n' : ''}`
const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

const upload = (portal: PortalProcess, name: string) =>
  portals.uploader.upload(portal, `${name}.csv`, contentOf(name))

beforeAll(async () => {
  portals = await createTestPortals()
  ;({ folder, db } = portals)
  // The server of an embedded database runs as another account.
  await chmod(folder, 0o755)
})
afterAll(async () => {
  await portals.close()
  for (const { drop } of restored) await drop()
})

async function backUpUnderLoad(): Promise<void> {
  const portal = await start(portals.databaseUrl, 'storage')
  let isBefore = true
  let isOver = false
  const work = async (worker: number) => {
    for (let number = 0; !isOver; number++) {
      const name = `${number % 4 === 3 ? 'bad' : 'good'}-${worker}-${number}`
      const wasBefore = isBefore
      uploads.push({ name, id: await upload(portal, name), isBefore: wasBefore })
    }
  }
  const workers = [0, 1, 2].map(work)
  await expect.poll(() => uploads.length, soon).toBeGreaterThan(20)
  isBefore = false
  const env = envOf(portals.databaseUrl, 'storage')
  const { code, output } = await execute(env, commandLine, 'backup', inFolder('backup'))
  expect([code, output]).toEqual([0, expect.stringContaining('submissions')])
  const during = uploads.length
  await expect.poll(() => uploads.length, soon).toBeGreaterThan(during + 10)
  isOver = true
  await Promise.all(workers)
  await portal.end('SIGKILL')
}

/** Expects that the database has every upload from before the backup, correct and in its final status. */
async function expectAllRight(url: string, storage: string): Promise<void> {
  const found = openDatabase(url)
  const rows = () => found.selectFrom('submissions').selectAll().orderBy('id').execute()
  await expect.poll(async () => (await rows()).every(({ settledAt }) => settledAt !== null), soon).toBe(true)
  const all = await rows()
  expect(all.map(({ id }) => id)).toEqual(
    expect.arrayContaining(uploads.filter(({ isBefore }) => isBefore).map(({ id }) => id)),
  )
  for (const { fileName, sha256, status, targetPath } of all) {
    const content = contentOf(fileName.replace('.csv', ''))
    expect([fileName, sha256]).toEqual([fileName, hashOf(content)])
    expect([fileName, status]).toEqual([
      fileName,
      fileName.startsWith('bad') ? ValidationFailed : IngestionSuccess,
    ])
    if (targetPath !== null)
      expect(hashOf(await readFile(join(inFolder(storage), targetPath)))).toBe(hashOf(content))
  }
  await found.destroy()
}

async function restoreTo(storage: string): Promise<TestDatabase> {
  const target = await createEmptyDatabase()
  restored.push(target)
  const result = await veridict(envOf(target.url, storage), 'restore', inFolder('backup'))
  expect(result).toEqual({ code: 0, output: expect.stringContaining('are restored') })
  return target
}

describe('A backup that is made under load', () => {
  it('is complete while people upload', backUpUnderLoad)

  it('is restored elsewhere: every upload is there and right, or absent', async () => {
    const target = await restoreTo('elsewhere')
    const portal = await start(target.url, 'elsewhere')
    await expectAllRight(target.url, 'elsewhere')
    uploads.push({ name: 'good-new', id: await upload(portal, 'good-new'), isBefore: false })
    await expectAllRight(target.url, 'elsewhere')
    expect(await veridict(envOf(target.url, 'elsewhere'), 'check')).toMatchObject({ code: 0 })
    await portal.end('SIGTERM')
  })

  it('sends no e-mail again that was sent', async () => {
    const [first] = restored as [TestDatabase]
    const found = openDatabase(first.url)
    const sentBefore = await db
      .selectFrom('mails')
      .where('sentAt', 'is not', null)
      .select('messageId')
      .execute()
    const parked = await found
      .selectFrom('mails')
      .where('parkedAt', 'is not', null)
      .select('messageId')
      .execute()
    const sent = await readdir(inFolder('data-elsewhere/outbox')).catch(() => [])
    const texts = await Promise.all(
      sent.map((name) => readFile(inFolder(`data-elsewhere/outbox/${name}`), 'utf8')),
    )
    expect(sentBefore.length).toBeGreaterThan(10)
    for (const { messageId } of [...sentBefore, ...parked])
      expect(texts.filter((text) => text.includes(messageId))).toEqual([])
    await found.destroy()
  })

  it('is restored to the storage that survived: nothing collides, and nothing newer is deleted', async () => {
    const before = await readdir(inFolder('storage'), { recursive: true })
    const target = await restoreTo('storage')
    const found = openDatabase(target.url)
    expect(await isNewlyRestored(found)).toBe(true)
    await found.destroy()
    const portal = await start(target.url, 'storage')
    const id = await upload(portal, 'good-again')
    const highest = Math.max(...before.map((path) => Number(/\/(\d+)_[^/]*\.csv$/.exec(path)?.[1] ?? 0)))
    expect(id).toBeGreaterThan(highest)
    await expectAllRight(target.url, 'storage')
    const after = await readdir(inFolder('storage'), { recursive: true })
    // Hidden files are sources, and parts that the killed portal left.
    const accepted = before.filter((path) => !/(?:^|\/)\./.test(path))
    expect(after).toEqual(expect.arrayContaining(accepted))
    await portal.end('SIGTERM')
  })

  it('is restored to an empty DATA_DIR, which has a database of its own then', async () => {
    const env = { DATA_DIR: inFolder('own') }
    expect(await veridict(env, 'restore', inFolder('backup'))).toMatchObject({ code: 0 })
    expect(await veridict(env, 'check')).toMatchObject({ code: 0 })
  })

  it.for([
    { why: 'there is no backup', args: ['restore', 'nowhere'], says: 'There is no complete backup' },
    { why: 'the backup cannot be read', args: ['restore', 'unreadable'], says: 'EISDIR' },
    { why: 'the database is not empty', args: ['restore', 'backup'], says: 'The database is not empty' },
    { why: 'the folder is in use', args: ['backup', 'backup'], says: 'is not empty' },
  ])('is refused, and nothing is done, if $why', async ({ args: [command = '', name = ''], says }) => {
    const env = envOf(portals.databaseUrl, 'storage')
    await mkdir(inFolder('unreadable/backup.json'), { recursive: true })
    expect(await veridict(env, command, inFolder(name))).toEqual({
      code: 2,
      output: expect.stringContaining(says),
    })
  })

  it('is refused if a table of it is damaged, and can be restored when it is whole again', async () => {
    const target = await createEmptyDatabase()
    restored.push(target)
    unused = envOf(target.url, 'unused')
    const path = inFolder('backup/database/users.copy')
    const whole = await readFile(path)
    await writeFile(path, whole.subarray(1))
    expect(await veridict(unused, 'restore', inFolder('backup'))).toEqual({
      code: 2,
      output: expect.stringContaining('The backup is damaged'),
    })
    await writeFile(path, whole)
    expect(await veridict(unused, 'restore', inFolder('backup'))).toMatchObject({ code: 0 })
  })
})

describe('Backups of which the newest two are kept', () => {
  it('are named by their time, and make the older ones needless, finished or not', async () => {
    const folder = inFolder('backups')
    const complete = ['2026-01-01T02-30-00Z', '2026-01-03T02-30-00Z']
    const others = ['2026-01-02T02-30-00Z', '2026-01-04T02-30-00Z', 'by hand']
    for (const name of [...complete, ...others]) await mkdir(join(folder, name), { recursive: true })
    for (const name of complete) await writeFile(join(folder, name, 'backup.json'), '{}')
    const { code, output } = await veridict(unused, 'backup', folder, '--keep', '2')
    expect([code, output]).toEqual([0, expect.stringContaining('2026-01-01T02-30-00Z')])
    const left = await readdir(folder)
    const [made, ...more] = left.filter((name) => name > '2026-01-05T' && name !== 'by hand')
    expect([left.toSorted(), more]).toEqual([
      ['2026-01-03T02-30-00Z', '2026-01-04T02-30-00Z', made, 'by hand'],
      [],
    ])
    const backedUp = openDatabase(unused.DATABASE_URL)
    const backup = (await findLastRuns(backedUp)).find(({ job }) => job === 'backup')
    expect(backup?.ageSeconds).toBeLessThan(60)
    await backedUp.destroy()
  })

  it('are the newest made, also where a clock was ahead', async () => {
    const folder = inFolder('backups-ahead')
    const ahead = ['2099-01-01T02-30-00Z', '2099-01-02T02-30-00Z']
    for (const name of ahead) {
      await mkdir(join(folder, name), { recursive: true })
      await writeFile(join(folder, name, 'backup.json'), '{}')
    }
    expect(await veridict(unused, 'backup', folder, '--keep', '2')).toMatchObject({ code: 0 })
    const [made, kept, ...more] = (await readdir(folder)).toSorted()
    expect([made < ahead[0], kept, more]).toEqual([true, ahead[1], []])
  })

  it.for(['0', '-1', 'all'])('are not %s', async (keep) => {
    expect(await veridict(unused, 'backup', inFolder('never'), `--keep=${keep}`)).toEqual({
      code: 2,
      output: expect.stringContaining('is not a number of backups'),
    })
  })
})
