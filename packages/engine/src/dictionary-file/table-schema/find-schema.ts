import { isObject } from '@veridict/contract/notation/is-object'
import { tableSchemaProblems as problems } from '@veridict/contract/messages/table-schema'

/** A schema with the name of its table, which may be ''; null for a schema without a table. */
export type FoundSchema =
  | { kind: 'schema'; schema: { fields: unknown[] }; table: string | null }
  | { kind: 'problem'; problem: string }

/**
 * Finds the schema in a file: the file itself, the schema of a data resource, or that of the one table of a
 * data package. A schema may list resources beside its fields, such as example files.
 */
export function findSchema(json: string): FoundSchema {
  const content = parse(json)
  if (content instanceof SyntaxError) return { kind: 'problem', problem: problems.notJson(content.message) }
  if (!isObject(content)) return { kind: 'problem', problem: problems.notASchema }
  if (Array.isArray(content.resources) && !Array.isArray(content.fields))
    return schemaOfPackage(content.resources)
  if ('schema' in content) return schemaOf(content.schema, tableName(content))
  return schemaOf(content, null)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch (error) {
    if (error instanceof SyntaxError) return error
    throw error
  }
}

function schemaOfPackage(resources: readonly unknown[]): FoundSchema {
  const tables = resources
    .filter((resource) => isObject(resource))
    .filter(({ schema }) => schema !== undefined && schema !== null)
  if (tables.length === 0) return { kind: 'problem', problem: problems.noTable }
  if (tables.length > 1) return { kind: 'problem', problem: problems.severalTables(tables.map(tableName)) }
  return schemaOf(tables[0].schema, tableName(tables[0]))
}

function schemaOf(schema: unknown, table: string | null): FoundSchema {
  if (typeof schema === 'string') return { kind: 'problem', problem: problems.schemaElsewhere(schema) }
  if (!isObject(schema) || !Array.isArray(schema.fields))
    return { kind: 'problem', problem: problems.notASchema }
  return { kind: 'schema', schema: schema as { fields: unknown[] }, table }
}

function tableName({ name, path }: Record<string, unknown>): string {
  return [name, path].flat().find((text) => typeof text === 'string') ?? ''
}
