import { bytesSource } from '@veridict/engine/byte-source'
import { correctFile } from '@veridict/engine/corrected-file'
import { portalGuards } from '@veridict/engine/limits'
import type { CorrectMessage, CorrectRequest, MadeCopy } from './worker-messages.ts'
import { readCheckRequest } from './read-check-request.ts'

/**
 * The program of the worker: makes the corrected copy of one file with the engine and the limits of the
 * server. The page ends the worker.
 */
addEventListener('message', ({ data }: MessageEvent<CorrectRequest>) => {
  correct(data)
    .then((made) => send({ kind: 'copy', ...made }))
    .catch((error: unknown) => send({ kind: 'failed', error: String(error) }))
})

const send = (message: CorrectMessage): void => postMessage(message)

async function correct({ causes, answers, ...request }: CorrectRequest): Promise<MadeCopy> {
  const { bytes, ...checked } = await readCheckRequest(request)
  const corrected = await correctFile({
    ...checked,
    source: bytesSource(bytes),
    limits: portalGuards,
    causes,
    answers,
  })
  // The dictionary has changed since the check.
  if (corrected.kind !== 'copy') throw new Error(`There are other errors now: ${corrected.kind}`)
  const chunks = await Array.fromAsync(corrected.bytes())
  const { removed } = corrected.outcome()
  return { copy: new Blob(chunks as BlobPart[], { type: request.file.type }), removed }
}
