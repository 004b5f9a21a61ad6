import { buffer } from 'node:stream/consumers'
import { dictionaryLimits } from '@veridict/contract/limits'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { tableSchemaProblems } from '@veridict/contract/messages/table-schema'
import type { Proposal } from '@veridict/contract/model/proposal'
import { dictionaryNameOf } from '@veridict/contract/notation/dictionary-name'
import type { Deps } from '#deps.ts'
import { tooLarge } from '#errors.ts'
import { allProblems } from '#dictionaries/all-problems.ts'
import { askValidator } from '#dictionaries/check-patterns.ts'
import type { ReceivedFile } from '#platform/storage/receive-upload.ts'

/**
 * `name` comes from the file name or from the schema, and may be empty. `recordsCount` is null for a schema.
 */
export type NamedProposal = Omit<Proposal, 'recordsCount'> & { name: string; recordsCount: number | null }

/**
 * Proposes the fields of the Table Schema stored at `source`; notes say what the fields cannot express.
 * Throws 413 above 1 MiB, as imports do, and 400 with all problems of the schema.
 */
export async function proposeFromSchema(
  { staged, fileName }: ReceivedFile<string>,
  source: string,
  deps: Pick<Deps, 'storage' | 'validator' | 'log'>,
): Promise<NamedProposal> {
  if (staged.bytes > dictionaryLimits.maxImportBytes) throw tooLarge(dictionaryMessages.importTooLarge)
  const json = decode(await buffer(deps.storage.read(source)))
  const read = await askValidator(() => deps.validator.readTableSchema(json), deps)
  if (read.kind === 'problems') throw allProblems(read.problems)
  const name = read.name || dictionaryNameOf(fileName.replace(/\.schema\.json$/i, '.json'))
  return {
    name,
    recordsCount: null,
    fields: read.fields.map((field) => ({ ...field, reason: '' })),
    notes: read.notes,
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw allProblems([tableSchemaProblems.notUtf8])
  }
}
