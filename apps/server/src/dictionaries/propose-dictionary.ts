import { sampleKindOf } from '@veridict/contract/forms/sample'
import { dictionaryLimits, fileGuards } from '@veridict/contract/limits'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { inferenceMessages } from '@veridict/contract/messages/inference'
import { tableSchemaProblems } from '@veridict/contract/messages/table-schema'
import type { Proposal } from '@veridict/contract/model/proposal'
import { fileProblemText } from '@veridict/contract/model/verdict'
import { dictionaryNameOf } from '@veridict/contract/notation/dictionary-name'
import type { Deps } from '#deps.ts'
import { allProblems, askValidator } from '#dictionaries/check-fields.ts'
import { type AppError, invalid, tooLarge, unavailable } from '#errors.ts'
import {
  type AcceptedFiles,
  type ReceivedFile,
  receiveUpload,
  takeWhole,
  type UploadPart,
  type WholeFile,
} from '#platform/storage/receive-upload.ts'
import { ValidatorError } from '#platform/validator/validator.ts'

/** Files that a dictionary is proposed from. */
const samples: AcceptedFiles<'csv' | 'xlsx' | 'json'> = {
  kindOf: sampleKindOf,
  wrongType: dictionaryMessages.sampleWrongType,
}

type ReceivedSample = ReceivedFile<string, WholeFile>
type Needs = Pick<Deps, 'validator' | 'log'>

/**
 * From a sample or a Table Schema, in memory only. Refuses as uploads do (400, 413, 415); 400 also for an
 * unreadable sample, or with every problem of a schema. Reading stops when the client `disconnected`.
 */
export async function proposeDictionary(
  parts: AsyncIterable<UploadPart>,
  deps: Needs,
  disconnected?: AbortSignal,
): Promise<NamedProposal> {
  const { file } = await receiveUpload(parts, samples, takeWhole)
  if (file.fileKind === 'json') return proposeFromSchema(file, deps)
  return { name: dictionaryNameOf(file.fileName), ...(await proposeFromTable(file, deps, disconnected)) }
}

/** Reads the rows in a validator process. */
async function proposeFromTable(
  { fileName, taken }: ReceivedSample,
  deps: Needs,
  disconnected?: AbortSignal,
): Promise<Proposal> {
  try {
    const sample = { fileName, bytes: taken.whole }
    const outcome = await deps.validator.run('propose', sample, { signal: disconnected })
    if (outcome.kind === 'proposal') return outcome.proposal
    throw invalid('file', fileProblemText(outcome.problem))
  } catch (error) {
    throw error instanceof ValidatorError ? refusalOf(error, deps) : error
  }
}

function refusalOf(error: ValidatorError, { log }: Needs): AppError {
  if (error.reason === 'aborted') return unavailable()
  if (error.reason === 'timeout')
    return invalid('file', fileProblemMessages.tooSlow(fileGuards.maxMilliseconds / 1000))
  log.warn({ err: error }, 'the validator failed at a sample')
  return invalid('file', inferenceMessages.notPossible)
}

/** `name`: of the file or schema, maybe empty. `recordsCount`: null for a schema. */
type NamedProposal = Omit<Proposal, 'recordsCount'> & { name: string; recordsCount: number | null }

/** Notes say what fields cannot express. Throws 413 above 1 MiB, as imports, and 400 with all problems. */
async function proposeFromSchema({ taken, fileName }: ReceivedSample, deps: Needs): Promise<NamedProposal> {
  if (taken.bytes > dictionaryLimits.maxImportBytes) throw tooLarge(dictionaryMessages.importTooLarge)
  const json = decode(taken.whole)
  const read = await askValidator(() => deps.validator.run('readTableSchema', json), deps)
  if (read.kind === 'problems') throw allProblems(read.problems)
  const name = read.name || dictionaryNameOf(fileName.replace(/\.schema\.json$/i, '.json'))
  return {
    name,
    recordsCount: null,
    fields: read.fields.map((field) => ({ ...field, reason: '' })),
    ruleBook: read.ruleBook,
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
