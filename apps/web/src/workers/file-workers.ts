import type { CauseRows } from '@veridict/contract/model/cause'
import type {
  CheckedVerdict,
  CheckMessage,
  CheckRequest,
  CorrectMessage,
  CorrectRequest,
  SentVerdict,
} from './worker-messages.ts'
import { runWorker } from './run-worker.ts'

export type FileCheckRequest = CheckRequest & {
  onProgress: (percent: number) => void
  onVerdict: (verdict: CheckedVerdict) => void
  /** After the verdict; not called where the browser calculates no checksum. */
  onChecksum: (sha256: string) => void
  /** Ends the check at once. */
  signal: AbortSignal
}

/**
 * Validates a file in a worker. Rejects if there is no verdict: see `runWorker`; the file was modified, or it
 * takes too long, of which the server's own machine decides.
 */
export function checkFile({ file, dictionary, signal, ...on }: FileCheckRequest): Promise<void> {
  // In a chunk of its own: the page itself loads nothing of the engine.
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), {
    type: 'module',
    name: 'check',
  })
  const request: CheckRequest = { file, dictionary }
  const causeRows: CauseRows[] = []
  const run = { worker, request, signal, failure: 'The file was not checked' }
  return runWorker<CheckMessage, void>(run, (message, { done, fail }) => {
    switch (message.kind) {
      case 'progress':
        return on.onProgress(message.percent)
      case 'causeRows':
        causeRows.push(message.causeRows)
        return
      case 'verdict':
        return on.onVerdict(withRows(message.verdict, causeRows))
      case 'checksum':
        if (message.sha256 !== null) on.onChecksum(message.sha256)
        return done()
      case 'failed':
        return fail(message.error)
    }
  })
}

const withRows = (verdict: SentVerdict, causeRows: CauseRows[]): CheckedVerdict =>
  verdict.kind === 'rowErrors' ? { ...verdict, causeRows } : verdict

type FileCorrectionRequest = CorrectRequest & {
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
