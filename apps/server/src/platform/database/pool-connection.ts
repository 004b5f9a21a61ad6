import type { PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { forgetNames, isDeferred, statementName } from '#platform/database/prepared-statements.ts'

/** Whose rows a connection sees: those of a company, by its id, or all (`0014-company-rows`). */
export type VisibleRows = 'all' | `${number}`

/** New connections see all. */
export const allRowsOption = '-c veridict.company=all'

/** `rows`: null for whatever rows the connection saw in its last use. */
export type View = { rows: VisibleRows | null; isReadOnly: boolean }

/** As Kysely and our own SQL write the statements that change something, lock rows or begin a transaction. */
const notARead = /\b(?:insert|update|delete|merge|begin|start transaction|for share)\b/i

const setVisibleRows = `select set_config('veridict.company', $1, false)`
/** Deferred statements without a reply: 60,000 held up the event loop for seconds, and then timed out. */
const MOST_SENT = 100

/** The rows that each connection sees now, so that only a change costs a statement. */
const visible = new WeakMap<pg.PoolClient, VisibleRows>()

/**
 * A connection of a pool, for one use by Kysely. Its visible rows and the statements of `runDeferred` are
 * waited for with the next one, which saves round trips; not BEGIN: what follows its error would commit.
 */
export async function connectTo(pool: pg.Pool, { rows, isReadOnly }: View): Promise<PostgresPoolClient> {
  const client = await pool.connect()
  let isBroken = false
  const sent: Promise<unknown>[] = []
  const send = async (text: string, values: readonly unknown[]) => {
    try {
      return await client.query({ name: statementName(text), text, values: [...values] })
    } catch (error) {
      // After an error on our side, such as a timeout, it is unknown what the connection does.
      isBroken ||= !(error instanceof pg.DatabaseError)
      throw error
    }
  }
  if (rows !== null && rows !== (visible.get(client) ?? 'all')) {
    visible.set(client, rows)
    const setting = client.query({ name: 'veridict_rows', text: setVisibleRows, values: [rows] })
    // It may still show the rows that it showed before.
    setting.catch(() => (isBroken = true))
    sent.push(setting)
  }
  const query = async (text: string, values: readonly unknown[]) => {
    if (isReadOnly && notARead.test(text))
      throw new Error(`A call writes outside of \`inTransaction\`: ${text}`)
    const isInTransaction = client.getTransactionStatus() !== 'I'
    const result = send(text, values)
    result.catch(() => {})
    sent.push(result)
    if (isInTransaction && isDeferred(text) && sent.length < MOST_SENT) return { rows: [] }
    try {
      return (await Promise.all(sent.splice(0))).at(-1)
    } catch (error) {
      if (!isStalePlan(error)) throw error
      forgetNames()
      // The error has ended a transaction; `inTransaction` runs all of its statements again.
      if (isInTransaction) throw error
      return send(text, values)
    }
  }
  const release = (isDiscarded = false) => client.release(isDiscarded || isBroken || sent.length > 0)
  return { query, release } as unknown as PostgresPoolClient
}

/** A migration changed the statement's columns. It did not run; the next run prepares it again. */
export const isStalePlan = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '0A000' &&
  (error as { routine?: unknown }).routine === 'RevalidateCachedQuery'
