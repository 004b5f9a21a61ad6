import type { CorrectMessage, CorrectRequest } from './correct-messages.ts'
import { runWorker } from './run-worker.ts'

export type FileCorrectionRequest = CorrectRequest & {
  /** Ends the work at once. */
  signal: AbortSignal
}

/**
 * Makes the corrected copy of a file in a worker. Rejects if there is none: see `runWorker`; the file was
 * modified, or the dictionary has changed.
 */
export function correctFile({ signal, ...request }: FileCorrectionRequest): Promise<Blob> {
  const worker = new Worker(new URL('./correct-worker.ts', import.meta.url), {
    type: 'module',
    name: 'correct',
  })
  const run = { worker, request: request satisfies CorrectRequest, signal, failure: 'The copy was not made' }
  return runWorker<CorrectMessage, Blob>(run, (message, { done, fail }) =>
    message.kind === 'copy' ? done(message.copy) : fail(message.error),
  )
}
