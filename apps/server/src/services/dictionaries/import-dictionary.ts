import { checkField } from '@veridict/contract/forms/check-field'
import { dictionaryLimits, fileGuards } from '@veridict/contract/limits'
import { fieldMessages } from '@veridict/contract/messages/fields'
import type { Field } from '@veridict/contract/model/field'
import { portalGuards, readDictionary } from '@veridict/engine'
import { bytesSource, nodePlatform } from '@veridict/engine-node'
import type { Deps } from '#deps.ts'
import { createWithFields } from '#services/dictionaries/create-with-fields.ts'
import { allProblems } from '#services/dictionaries/all-problems.ts'

export type ImportedWorkbook = { fileName: string; bytes: Uint8Array }

/** A workbook of at most 1 MiB that unpacks to more than this is none that people made. */
const limits = { ...portalGuards, maxUnpackedBytes: dictionaryLimits.maxUnpackedImportBytes }

/**
 * Makes a new dictionary from a workbook, all or nothing; answers its id. Throws 400 with every problem of the workbook, each
 * naming its cell, and 409 when the name is taken.
 */
export async function importDictionary(name: string, workbook: ImportedWorkbook, userId: number, deps: Pick<Deps, 'db'>): Promise<number> {
  const fields = await readFields(workbook)
  const change = { kind: 'imported', fileName: workbook.fileName } as const
  return createWithFields({ name, fields, change }, userId, deps)
}

async function readFields({ fileName, bytes }: ImportedWorkbook): Promise<Field[]> {
  const read = await readDictionary({ source: bytesSource(bytes), fileName, checkField, platform: nodePlatform(), limits })
  if (read.kind === 'problems') throw allProblems(read.problems)
  // A worksheet cannot have more columns, so nobody could ever upload a file for more fields.
  if (read.fields.length > fileGuards.maxColumns) throw allProblems([fieldMessages.tooMany(fileGuards.maxColumns)])
  return read.fields
}
