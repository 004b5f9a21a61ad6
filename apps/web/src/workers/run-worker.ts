import { fileGuards } from '@veridict/contract/limits'

export type WorkerRun = {
  /** Made by the caller: only a literal path becomes a chunk of its own. */
  worker: Worker
  request: object
  /** Ends the worker at once; the run then rejects. */
  signal: AbortSignal
  /** What did not happen if the run rejects, a sentence without a full stop. */
  failure: string
}

/** How a run ends: each ends the worker, too. */
export type RunEnd<Result> = { done(result: Result): void; fail(reason: string): void }

/**
 * Sends a request to a worker and passes on its messages until `receive` ends the run. Rejects if the worker
 * cannot be loaded or throws, is canceled, or takes longer than the server would allow.
 */
export function runWorker<Message, Result>(
  { worker, request, signal, failure }: WorkerRun,
  receive: (message: Message, end: RunEnd<Result>) => void,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const fail = (reason: string) => reject(new Error(`${failure}: ${reason}`))
  const timer = setTimeout(() => fail('it takes too long'), fileGuards.maxMilliseconds)
  const cancel = () => fail('it was canceled')
  signal.addEventListener('abort', cancel)
  if (signal.aborted) cancel()
  worker.addEventListener('error', ({ message }) => fail(message || 'the worker could not be loaded'))
  worker.addEventListener('message', ({ data }: MessageEvent<Message>) =>
    receive(data, { done: resolve, fail }),
  )
  worker.postMessage(request)
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    worker.terminate()
  })
}
