import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { writingView } from '#platform/database/caller-view.ts'
import { isStalePlan } from '#platform/database/pool-connection.ts'
import type { Db, Trx } from '#platform/database/tables.ts'
import { conflict } from '#errors.ts'

const SERIALIZATION_FAILURE = '40001'
export const DEADLOCK_DETECTED = '40P01'
const MAX_ATTEMPTS = 6

/**
 * Repeated after a deadlock, a serialization failure or a migration, so `work` must have no effects outside
 * `trx`. With a call's database it first asks whether its caller may still act.
 */
export async function inTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  const { writes, hold } = writingView(db)
  for (let attempt = 1; ; attempt++) {
    try {
      return await writes
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (trx) => {
          await hold?.(trx)
          return work(trx)
        })
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isConflict(error)) throw error
      await sleep(Math.random() * 20 * 2 ** attempt)
    }
  }
}

/**
 * Always true. Outside of a transaction, its statement's commit does not wait for the disk: a crash may undo
 * it. Only for effects that a later commit writes, or that may be lost. In a transaction it concerns all.
 */
export const asyncCommit = sql<boolean>`(select set_config('synchronous_commit', 'off', true)) is not null`

const isConflict = (error: unknown): boolean =>
  [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(sqlState(error) ?? '') || isStalePlan(error)

/** False: it may be committed, for example after a lost connection. */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR'

/** undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Whether the error is a violation of the named unique index or constraint; services turn it into a 409. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return sqlState(error) === '23505' && (error as { constraint?: string }).constraint === constraint
}

/** Names of unique indexes and constraints (`platform/database/migrations`) → the message for a violation. */
type DuplicateMessages = Readonly<Record<string, string>>

/** Turns a violation into 409. A check before the write would let two parallel requests pass. */
export async function refuseDuplicates<T>(messages: DuplicateMessages, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const violated = Object.keys(messages).find((constraint) => isUniqueViolation(error, constraint))
    throw violated === undefined ? error : conflict(messages[violated])
  }
}
