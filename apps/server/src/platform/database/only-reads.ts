import type { PostgresPool, PostgresPoolClient } from 'kysely'

/** As Kysely and our own SQL write the statements that change something, lock rows or begin a transaction. */
const notARead = /\b(?:insert|update|delete|merge|begin|start transaction|for share)\b/i

/** A view of `pool` that throws for every statement but reads. */
export function onlyReads(pool: PostgresPool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const query = (text: string, values: readonly unknown[]) => {
        if (notARead.test(text)) throw new Error(`A call writes outside of \`inTransaction\`: ${text}`)
        return client.query(text, values)
      }
      return { query, release: () => client.release() } as unknown as PostgresPoolClient
    },
  }
}
