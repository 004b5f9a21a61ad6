import { fileGuards } from '@veridict/contract/limits'
import type { CorrectMessage, CorrectRequest } from './correct-messages.ts'

export type FileCorrectionRequest = CorrectRequest & {
  /** Ends the work at once. */
  signal: AbortSignal
}

/**
 * Makes the corrected copy of a file in a worker. Rejects where there is none: the worker could not be loaded
 * or failed, the file was modified, the dictionary has changed, or it takes too long.
 */
export function correctFile({ signal, ...request }: FileCorrectionRequest): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./correct-worker.ts', import.meta.url), {
      type: 'module',
      name: 'correct',
    })
    const end = (finish: () => void) => {
      clearTimeout(timer)
      worker.terminate()
      finish()
    }
    const fail = (reason: string) => end(() => reject(new Error(`The copy was not made: ${reason}`)))
    const timer = setTimeout(() => fail('it takes too long'), fileGuards.maxMilliseconds)
    signal.addEventListener('abort', () => fail('it was canceled'))
    worker.addEventListener('error', ({ message }) => fail(message || 'the worker could not be loaded'))
    worker.addEventListener('message', ({ data }: MessageEvent<CorrectMessage>) =>
      data.kind === 'copy' ? end(() => resolve(data.copy)) : fail(data.error),
    )
    worker.postMessage(request satisfies CorrectRequest)
  })
}
