import { fileGuards } from '@veridict/contract/limits'
import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { inferenceMessages } from '@veridict/contract/messages/inference'
import type { Proposal } from '@veridict/contract/model/proposal'
import { dictionaryNameOf } from '@veridict/contract/notation/dictionary-name'
import type { Deps } from '#deps.ts'
import { sourcePath } from '#drivers/storage/storage.ts'
import { ValidatorError } from '#drivers/validator/validator.ts'
import { type AppError, badRequest, invalid, unavailable } from '#errors.ts'
import { storageRefusal } from '#services/submissions/storage-refusal.ts'
import { receiveUpload, type ReceivedFile, type UploadPart } from '#services/submissions/upload-parts.ts'

type Needs = Pick<Deps, 'storage' | 'validator' | 'ids' | 'log'>

/** `name` is taken from the file's and may be empty. */
export type NamedProposal = Proposal & { name: string }

/**
 * Proposes a dictionary from a file that an administrator has at hand; nothing is created, and the file is deleted whatever comes of
 * it. What is received and how it is refused is as with submissions (400, 413, 415, 503, 507); 400 with the engine's sentence
 * where the file cannot be read.
 */
export async function proposeDictionary(parts: AsyncIterable<UploadPart>, deps: Needs): Promise<NamedProposal> {
  const { file } = await receiveUpload(parts, deps.storage)
  try {
    return { name: dictionaryNameOf(file.fileName), ...(await proposeFromTable(file, deps)) }
  } finally {
    await file.staged.discard()
  }
}

/** Reads the rows in a validator process. A server that dies meanwhile leaves a source without a submission, which the sweep removes. */
async function proposeFromTable({ staged, fileName }: ReceivedFile, deps: Needs): Promise<Proposal> {
  const { storage, validator, ids } = deps
  const place = sourcePath(ids.uuid())
  try {
    await staged.keep(place)
    const outcome = await validator.propose({ path: storage.localPath(place), fileName })
    if (outcome.kind === 'proposal') return outcome.proposal
    throw invalid('file', outcome.problem.message)
  } catch (error) {
    throw error instanceof ValidatorError ? refusalOf(error, deps) : storageRefusal(error)
  } finally {
    await storage.delete(place)
  }
}

function refusalOf(error: ValidatorError, { log }: Needs): AppError {
  if (error.reason === 'aborted') return unavailable()
  if (error.reason === 'timeout') return invalid('file', fileProblemMessages.tooSlow(fileGuards.maxMilliseconds / 1000))
  log.warn({ err: error }, 'the validator failed at a sample')
  return badRequest(inferenceMessages.notPossible)
}
