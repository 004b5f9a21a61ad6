import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { claimsColumns } from '../../generate/generated-columns.ts'
import { RowMaker, writeCsv } from '../../generate/rows.ts'
import { type Clerk, clockTime } from '../clients/http.ts'
import { countStatuses, type Figure, inPart, timesFigure } from '../figures.ts'
import { describeUse } from '../processor-time.ts'
import { runClient } from '../run-clients.ts'
import type { Testbed } from '../testbed.ts'

const FILES = 1500
/** Enough to use both cores: with 16 at once, 13 % of the processor time was idle, with 91 to 94 files/s. */
const AT_ONCE = 32
const IDLE_FILES = 30
/** About 25 rows. */
const SMALL_BYTES = 4096
const LONGEST_MILLISECONDS = 300_000

/** Small files from upload to their company's folder. */
export async function measureSmallFiles(testbed: Testbed): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'veridict-load-files-'))
  try {
    const path = join(folder, 'small.csv')
    writeCsv(path, claimsColumns, new RowMaker(claimsColumns, 1, 0), SMALL_BYTES)
    return [...(await uploadManyFiles(testbed, path)), ...(await uploadOneByOne(testbed, path))]
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function uploadManyFiles(testbed: Testbed, path: string): Promise<Figure[]> {
  const { target, uploading, owner, processorTime } = testbed
  const { clerks, dictionaryId } = uploading
  const upload = async (count: number) => {
    const before = await newestId(testbed)
    const settings = { target, clerks, dictionaryId, path, count, atOnce: AT_ONCE }
    const { begun, statuses } = await runClient('uploadFiles', settings)
    await waitUntilSettled(testbed, before, LONGEST_MILLISECONDS)
    return { seconds: (clockTime() - begun) / 1000, statuses }
  }
  // Validators are started, statements prepared.
  await upload(50)
  const [bytesBefore, before] = [await databaseBytes(owner), processorTime()]
  const { seconds, statuses } = await upload(FILES)
  const after = processorTime()
  const bytes = (await databaseBytes(owner)) - bytesBefore
  return inPart('small files', [
    {
      what: `${FILES} files of 25 rows, ${AT_ONCE} uploads at once, all stored`,
      measured: `${(FILES / seconds).toFixed(0)} files/s; ${countStatuses(statuses)}`,
      goal: '100 files/s',
      isMet: FILES / seconds >= 100,
    },
    { what: 'processor time per file', measured: describeUse(before, after, FILES) },
    { what: 'growth of the database', measured: `${(bytes / FILES / 1000).toFixed(1)} kB per file` },
  ])
}

async function uploadOneByOne({ target, uploading }: Testbed, path: string): Promise<Figure[]> {
  const { clerks, dictionaryId } = uploading
  const clerk = clerks[0] as Clerk
  const settings = { target, clerk, dictionaryId, path, count: IDLE_FILES }
  const times = await runClient('uploadAndListen', settings)
  const column = (name: keyof (typeof times)[number]) => times.map((each) => each[name])
  return inPart('one small file, idle', [
    timesFigure('to the response', column('accepted')),
    timesFigure('to the push that it passed', column('validated')),
    timesFigure('to the push that it is stored', column('stored'), { percentile: 50, atMost: 40 }),
  ])
}

/** The id of the newest submission, 0 without one. */
export async function newestId({ owner }: Pick<Testbed, 'owner'>): Promise<number> {
  const newest = owner.selectFrom('submissions').select((row) => row.fn.max('id').as('id'))
  return (await newest.executeTakeFirst())?.id ?? 0
}

/** Waits until all submissions after one are final; returns their statuses. */
export async function waitUntilSettled(
  { owner }: Pick<Testbed, 'owner'>,
  after: number,
  longestMilliseconds: number,
): Promise<number[]> {
  const deadline = clockTime() + longestMilliseconds
  for (;;) {
    const waiting = owner.selectFrom('submissions').where('status', 'in', waitingStatuses).select('id')
    const isOver = (await waiting.where('id', '>', after).limit(1).execute()).length === 0
    if (isOver || clockTime() > deadline) break
    await sleep(50)
  }
  const rows = await owner.selectFrom('submissions').where('id', '>', after).select('status').execute()
  return rows.map(({ status }) => status)
}

const { Uploaded, InProcess, ValidationPassed } = SubmissionStatus
/** Found by an index: reading all rows repeatedly would take as much time as some files. */
const waitingStatuses = [Uploaded, InProcess, ValidationPassed]

async function databaseBytes(owner: Testbed['owner']): Promise<number> {
  const size = sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`
  return Number((await size.execute(owner)).rows[0]?.bytes)
}
