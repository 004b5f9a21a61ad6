import { CamelCasePlugin, type Dialect, Kysely } from 'kysely'
import type { Database, Db } from '#platform/database/tables.ts'

/** Columns have snake_case names in the database; keys in JSON stay as they are. */
const camelCase = new CamelCasePlugin({ maintainNestedObjectKeys: true })

/** The tables of the portal, with columns in camelCase, through the connections of the dialect. */
export const openTables = (dialect: Dialect): Db => new Kysely<Database>({ dialect, plugins: [camelCase] })
