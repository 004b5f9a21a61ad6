import { setTimeout as sleep } from 'node:timers/promises'
import { reconnectDelay } from '../../../apps/web/src/lib/live/live-socket.ts'
import { call, type Clerk, clockTime, type Step, type Target } from './http.ts'
import { connectLive, openForAll } from './live.ts'

export type PageSettings = {
  target: Target
  clerks: readonly Clerk[]
  /**
   * Whether pages reconnect at different times, as the real page does, or all at the moment when the server
   * is back.
   */
  spread: boolean
}

/** When each page was up to date again (null: not in time), and the statuses of all requests for the list. */
export type Returned = { rightAt: (number | null)[]; statuses: number[] }

const PATH = '/api/FileSubmission?PageNumber=1&PageSize=10'
/** The pause after a failed request, as in the page. */
const RETRY_MILLISECONDS = 800
const LONGEST_MILLISECONDS = 60_000

/**
 * Pages with the history that are open while the server is replaced. Each opens its live connection again and
 * reads its list on connecting; it is right when the connection is open and the list has the new submission.
 */
export async function openPages({ target, clerks, spread }: PageSettings, step: Step): Promise<Returned> {
  const statuses: number[] = []
  const read = async (clerk: Clerk): Promise<number | null> => {
    const { status, body } = await call(target, clerk, PATH)
    statuses.push(status)
    if (status !== 200) return null
    return (JSON.parse(body) as { value: { data: { id: number }[] } }).value.data[0]?.id ?? null
  }
  const open = async (clerk: Clerk) => {
    const socket = await connectLive(target, clerk, () => {})
    const lost = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    return { clerk, socket, lost }
  }

  const pages = await openForAll(clerks, open)
  const newest = await step<number>()
  const isBack = step()
  const returnPage = async ({ clerk, lost }: { clerk: Clerk; lost: Promise<void> }) => {
    await lost
    const deadline = clockTime() + LONGEST_MILLISECONDS
    const pause = () => (spread ? sleep(reconnectDelay()) : sleep(RETRY_MILLISECONDS))
    await (spread ? pause() : isBack)
    while (clockTime() < deadline) {
      const page = await open(clerk).catch(() => null)
      if (page === null) {
        await pause()
        continue
      }
      const isOpen = () => page.socket.readyState === page.socket.OPEN
      while (isOpen() && (await read(clerk)) !== newest) await sleep(RETRY_MILLISECONDS)
      if (isOpen()) return clockTime()
      await pause()
    }
    return null
  }
  const returning = Promise.all(pages.map(returnPage))
  await isBack
  return { rightAt: await returning, statuses }
}
