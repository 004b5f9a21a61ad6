import { setTimeout as sleep } from 'node:timers/promises'
import { call, type Clerk, inLanes, type Target } from './http.ts'

export type RequestSettings = {
  target: Target
  clerks: readonly Clerk[]
  paths: readonly string[]
  /** Requests in all; paths and clerks take turns. */
  count: number
} & (
  | { atOnce: number }
  /** Sends so many requests in each second, even if earlier ones have no response yet. */
  | { perSecond: number }
)

/** `path` is an index. `ms` counts from the moment when the request was due. */
export type Sent = { path: number; status: number; ms: number }

/** Sends requests and returns how each went. */
export async function request(settings: RequestSettings): Promise<Sent[]> {
  const { target, clerks, paths, count } = settings
  const send = async (number: number, due: number): Promise<Sent> => {
    const path = number % paths.length
    const clerk = clerks[number % clerks.length] as Clerk
    const { status } = await call(target, clerk, paths[path] as string)
    return { path, status, ms: performance.now() - due }
  }
  // The first request opens a connection.
  await send(0, 0)
  return 'atOnce' in settings
    ? inLanes(count, settings.atOnce, (number) => send(number, performance.now()))
    : onSchedule(settings.perSecond, count, send)
}

type Send = (number: number, due: number) => Promise<Sent>

async function onSchedule(perSecond: number, count: number, send: Send): Promise<Sent[]> {
  const begun = performance.now()
  const sent: Promise<Sent>[] = []
  for (let number = 0; number < count; number++) {
    const due = begun + (number * 1000) / perSecond
    const early = due - performance.now()
    if (early > 0) await sleep(early)
    sent.push(send(number, due))
  }
  return Promise.all(sent)
}
