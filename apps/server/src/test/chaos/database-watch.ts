import { setTimeout as sleep } from 'node:timers/promises'
import type { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db, SubmissionRow } from '#platform/database/tables.ts'

/** Whether a transaction waits for the lock in a statement with these words. */
export type IsBlocked = (statement: string) => Promise<boolean>

/** Observes in the database how far servers are in their work, and makes them wait there with locks. */
export class DatabaseWatch {
  readonly #url: string
  readonly #db: Db

  constructor(url: string, db: Db) {
    this.#url = url
    this.#db = db
  }

  /** Waits until the submission of a file has one of the statuses, or for `milliseconds`; returns its row. */
  async whenIn(
    fileName: string,
    statuses: readonly SubmissionStatus[],
    milliseconds: number,
  ): Promise<SubmissionRow | undefined> {
    const end = performance.now() + milliseconds
    for (;;) {
      const rows = this.#db.selectFrom('submissions').selectAll().where('fileName', '=', fileName)
      const row = await rows.executeTakeFirst()
      if ((row && statuses.includes(row.status)) || performance.now() > end) return row
      await sleep(4)
    }
  }

  /** Runs `work` while it holds a lock. If it does not get the lock within 2 s, it runs `work` without it. */
  async withLock(lock: string, work: (isBlocked: IsBlocked) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url })
    await client.connect()
    try {
      const { rows } = await client.query('select pg_backend_pid() as pid')
      await client.query(`begin; set local lock_timeout = '2s'; ${lock}`).catch(() => {})
      await work(async (statement) => {
        const { rows: blocked } = await sql`
          select from pg_stat_activity
          where ${rows[0].pid}::int = any(pg_blocking_pids(pid)) and query ~ ${statement}
        `.execute(this.#db)
        return blocked.length > 0
      })
    } finally {
      await client.end()
    }
  }

  /** Waits for the next event of this status, which its commit sends; `isSent` is false after a timeout. */
  async nextStatusEvent(
    status: SubmissionStatus,
    milliseconds: number,
  ): Promise<{ isSent: Promise<boolean> }> {
    const client = new pg.Client({ connectionString: this.#url })
    await client.connect()
    const event = new Promise<boolean>((resolve) =>
      client.on('notification', ({ payload }) => {
        if (payload?.includes(`"FilesStatus":${status}`)) resolve(true)
      }),
    )
    await client.query('listen veridict_news')
    return { isSent: Promise.race([event, sleep(milliseconds, false)]).finally(() => client.end()) }
  }

  /** Whether the validator crashed on a file that is not settled. */
  async hasAttempts(): Promise<boolean> {
    const rows = this.#db.selectFrom('submissions').select('id').where('attempts', '>', 0)
    return (await rows.where('settledAt', 'is', null).execute()).length > 0
  }
}
