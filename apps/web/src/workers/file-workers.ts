import type { CauseRows } from '@veridict/contract/model/cause'
import type {
  CheckedVerdict,
  CheckMessage,
  CheckRequest,
  CorrectRequest,
  CorrectResult,
} from './worker-messages.ts'
import { fileGuards } from '@veridict/contract/limits'

export type FileCheckRequest = CheckRequest & {
  onProgress: (percent: number) => void
  onVerdict: (verdict: CheckedVerdict) => void
  /** After the verdict; not called where the browser calculates no checksum. */
  onChecksum: (sha256: string) => void
  /** Ends the check at once. */
  signal: AbortSignal
}

/** Rejects as `runWorker`, or if the file was modified. Too slow here may be fast enough on the server. */
export function checkFile({ file, dictionary, signal, ...on }: FileCheckRequest): Promise<void> {
  // In a chunk of its own: the page itself loads nothing of the engine.
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module', name: 'check' })
  const request: CheckRequest = { file, dictionary }
  const causeRows: CauseRows[] = []
  const run = { worker, request, signal, failure: 'The file was not checked' }
  return runWorker<CheckMessage, void>(run, (message, done) => {
    switch (message.kind) {
      case 'progress':
        return on.onProgress(message.percent)
      case 'causeRows':
        causeRows.push(message.causeRows)
        return
      case 'verdict':
        return on.onVerdict({ ...message.verdict, causeRows })
      case 'checksum':
        if (message.sha256 !== null) on.onChecksum(message.sha256)
        return done()
    }
  })
}

type FileCorrectionRequest<Kind> = CorrectRequest & { wants: Kind; signal: AbortSignal }

/** Rejects as `runWorker`, or if the file was modified or the dictionary has changed. */
export function correctFile<Kind extends CorrectResult['kind']>({
  signal,
  ...request
}: FileCorrectionRequest<Kind>): Promise<Extract<CorrectResult, { kind: Kind }>> {
  const worker = new Worker(new URL('./correct-worker.ts', import.meta.url), {
    type: 'module',
    name: 'correct',
  })
  const run = { worker, request, signal, failure: 'The copy was not made' }
  type Result = Extract<CorrectResult, { kind: Kind }>
  return runWorker<Result, Result>(run, (result, done) => done(result))
}

type WorkerRun = {
  /** Made by the caller: only a literal path becomes a chunk of its own. */
  worker: Worker
  request: object
  /** Ends the worker at once; the run then rejects. */
  signal: AbortSignal
  /** What did not happen if the run rejects, a sentence without a full stop. */
  failure: string
}

/**
 * Passes on messages until `receive` is done, which ends the worker. Rejects if it cannot be loaded or
 * reports an error, is canceled, or takes longer than the server would allow.
 */
function runWorker<Message, Result>(
  { worker, request, signal, failure }: WorkerRun,
  receive: (message: Message, done: (result: Result) => void) => void,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const fail = (reason: string) => reject(new Error(`${failure}: ${reason}`))
  const timer = setTimeout(() => fail('it takes too long'), fileGuards.maxMilliseconds)
  const cancel = () => fail('it was canceled')
  signal.addEventListener('abort', cancel)
  if (signal.aborted) cancel()
  worker.addEventListener('error', ({ message }) => fail(message || 'the worker could not be loaded'))
  worker.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data, resolve))
  worker.postMessage(request)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    worker.terminate()
  })
}
