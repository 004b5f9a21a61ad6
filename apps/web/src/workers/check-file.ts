import { fileGuards } from '@veridict/contract/limits'
import type { CauseRows } from '@veridict/contract/model/cause'
import type { CheckedVerdict, CheckMessage, CheckRequest, SentVerdict } from './check-messages.ts'

export type FileCheckRequest = CheckRequest & {
  onProgress: (percent: number) => void
  onVerdict: (verdict: CheckedVerdict) => void
  /** After the verdict; not called where the browser calculates no checksum. */
  onChecksum: (sha256: string) => void
  /** Ends the check at once. */
  signal: AbortSignal
}

/**
 * Validates a file in a worker. Rejects if there is no verdict: the worker could not be loaded or failed, the
 * file was modified, or the time limit of the server passed, of which the server's own machine decides.
 */
export function checkFile({ file, dictionary, signal, ...on }: FileCheckRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    // In a chunk of its own: the page itself loads nothing of the engine.
    const worker = new Worker(new URL('./check-worker.ts', import.meta.url), {
      type: 'module',
      name: 'check',
    })
    const causeRows: CauseRows[] = []
    const end = (finish: () => void) => {
      clearTimeout(timer)
      worker.terminate()
      finish()
    }
    const fail = (reason: string) => end(() => reject(new Error(`The file was not checked: ${reason}`)))
    const timer = setTimeout(() => fail('it takes too long'), fileGuards.maxMilliseconds)
    signal.addEventListener('abort', () => end(resolve))
    worker.addEventListener('error', ({ message }) => fail(message || 'the worker could not be loaded'))
    worker.addEventListener('message', ({ data }: MessageEvent<CheckMessage>) => {
      switch (data.kind) {
        case 'progress':
          return on.onProgress(data.percent)
        case 'causeRows':
          causeRows.push(data.causeRows)
          return
        case 'verdict':
          return on.onVerdict(withRows(data.verdict, causeRows))
        case 'checksum':
          if (data.sha256 !== null) on.onChecksum(data.sha256)
          return end(resolve)
        case 'failed':
          return fail(data.error)
      }
    })
    worker.postMessage({ file, dictionary } satisfies CheckRequest)
  })
}

const withRows = (verdict: SentVerdict, causeRows: CauseRows[]): CheckedVerdict =>
  verdict.kind === 'rowErrors' ? { ...verdict, causeRows } : verdict
