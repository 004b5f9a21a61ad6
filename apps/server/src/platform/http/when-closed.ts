import type { ServerResponse } from 'node:http'

const works = new WeakMap<ServerResponse, (() => void)[]>()

/** Runs at once if it is closed. All share a listener: a download had ten, and with one more Node warns. */
export function whenClosed(response: ServerResponse, work: () => void): void {
  if (response.closed) return work()
  const all = works.getOrInsert(response, [])
  if (all.push(work) > 1) return
  response.once('close', () => {
    for (const each of all) each()
  })
}
