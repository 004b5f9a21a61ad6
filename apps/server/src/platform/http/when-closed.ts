import type { ServerResponse } from 'node:http'

const works = new WeakMap<ServerResponse, (() => void)[]>()

/** Runs at once if it is closed. All share a listener: a download had ten, and with one more Node warns. */
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
