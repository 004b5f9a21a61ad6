import type { Field } from '@veridict/contract/model/field'
import type { Deps } from '#deps.ts'
import { createWithFields } from '#dictionaries/create-with-fields.ts'
import { allProblems } from '#dictionaries/all-problems.ts'
import { askValidator } from '#dictionaries/check-patterns.ts'

type Needs = Pick<Deps, 'db' | 'validator' | 'log' | 'caller'>

export type ImportedWorkbook = { fileName: string; bytes: Uint8Array }

/**
 * Makes a new dictionary from a workbook, or nothing; returns its id. Throws 400 with every problem of the
 * workbook, each naming its cell, 409 when the name is taken, and 503 when it could not be read.
 */
export async function importDictionary(
  name: string,
  workbook: ImportedWorkbook,
  userId: number,
  deps: Needs,
): Promise<number> {
  const fields = await readFields(workbook, deps)
  const change = { kind: 'imported', fileName: workbook.fileName } as const
  return createWithFields({ name, fields, change }, userId, deps)
}

/**
 * In another process, because a workbook of a megabyte can contain regular expressions that take seconds to
 * compile.
 */
async function readFields(workbook: ImportedWorkbook, deps: Needs): Promise<Field[]> {
  const read = await askValidator(() => deps.validator.readDictionary(workbook), deps)
  if (read.kind === 'problems') throw allProblems(read.problems)
  return read.fields
}
