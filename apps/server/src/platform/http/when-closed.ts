import type { ServerResponse } from 'node:http'

const works = new WeakMap<ServerResponse, (() => void)[]>()

/**
 * Calls `work` when the response was sent or its client has left, at once if that has happened. All share one
 * listener: a download had ten, and with one more Node warns of a leak.
 */
export function whenClosed(response: ServerResponse, work: () => void): void {
  if (response.closed) return work()
  const known = works.get(response)
  if (known !== undefined) return void known.push(work)
  const all = [work]
  works.set(response, all)
  response.once('close', () => {
    for (const each of all) each()
  })
}
