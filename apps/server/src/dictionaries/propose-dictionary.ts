import { sampleKindOf } from '@veridict/contract/forms/sample'
import { fileGuards } from '@veridict/contract/limits'
import { dictionaryMessages } from '@veridict/contract/messages/dictionaries'
import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { inferenceMessages } from '@veridict/contract/messages/inference'
import type { Proposal } from '@veridict/contract/model/proposal'
import { fileProblemText } from '@veridict/contract/model/verdict'
import { dictionaryNameOf } from '@veridict/contract/notation/dictionary-name'
import type { Deps } from '#deps.ts'
import { sourcePath } from '#platform/storage/storage.ts'
import { type SampleFile, ValidatorError } from '#platform/validator/validator.ts'
import { type AppError, invalid, unavailable } from '#errors.ts'
import { type NamedProposal, proposeFromSchema } from '#dictionaries/propose-from-schema.ts'
import { storageRefusal } from '#platform/storage/storage-refusal.ts'
import { type AcceptedFiles, receiveUpload, type UploadPart } from '#platform/storage/receive-upload.ts'

/** Files that a dictionary is proposed from. */
const samples: AcceptedFiles<'csv' | 'xlsx' | 'json'> = {
  kindOf: sampleKindOf,
  wrongType: dictionaryMessages.sampleWrongType,
}

type Needs = Pick<Deps, 'storage' | 'validator' | 'ids' | 'log'>

/**
 * Proposes a dictionary from a sample or a Table Schema. Nothing is created, and the file is deleted in every
 * case. Refusals are those of uploads (400, 413, 415, 503, 507); 400 also with the engine's sentence where a
 * sample cannot be read, or with every problem of a schema. Reading stops when the client `disconnected`.
 */
export async function proposeDictionary(
  parts: AsyncIterable<UploadPart>,
  deps: Needs,
  disconnected?: AbortSignal,
): Promise<NamedProposal> {
  const { file } = await receiveUpload(parts, samples, deps.storage)
  const source = sourcePath(deps.ids.uuid())
  try {
    await file.staged.keep(source)
    if (file.fileKind === 'json') return await proposeFromSchema(file, source, deps)
    return {
      name: dictionaryNameOf(file.fileName),
      ...(await deps.storage.useFile(source, (path) =>
        proposeFromTable({ fileName: file.fileName, path }, deps, disconnected),
      )),
    }
  } catch (error) {
    throw storageRefusal(error)
  } finally {
    // If the server dies before this, an orphaned file remains, which the sweep deletes.
    await file.staged.discard()
    await deps.storage.delete(source)
  }
}

/** Reads the rows in a validator process. */
async function proposeFromTable(
  sample: SampleFile,
  deps: Needs,
  disconnected?: AbortSignal,
): Promise<Proposal> {
  try {
    const outcome = await deps.validator.propose(sample, disconnected)
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
