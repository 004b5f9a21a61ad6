// Clients in processes of their own, so that they do not wait for each other or for the parent. Forked, this
// file is the program of a client: it runs the task that its parent names, and sends back what it returns.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Clerk, Step } from './clients/http.ts'
import { listen } from './clients/live.ts'
import { request } from './clients/request.ts'
import { uploadAndListen, uploadFiles } from './clients/upload-files.ts'

const tasks = { listen, request, uploadAndListen, uploadFiles } as const
type Tasks = typeof tasks
type Settings<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0]
type Result<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>

/** Each of `steps` runs when all processes have finished their step; its result is sent to them. */
export async function runClients<Name extends keyof Tasks>(
  name: Name,
  settings: readonly Settings<Name>[],
  ...steps: (() => Promise<unknown>)[]
): Promise<Result<Name>[]> {
  const children = settings.map(() => fork(import.meta.filename))
  const exchange = (messageOf: (index: number) => unknown) => {
    const replies = children.map((child) => nextMessage(name, child))
    children.forEach((child, index) => child.send({ message: messageOf(index) }))
    return Promise.all(replies)
  }
  let replies = await exchange((index) => ({ name, settings: settings[index] }))
  for (const step of steps) {
    const message = await step()
    replies = await exchange(() => message)
  }
  return replies as Result<Name>[]
}

/** Runs a task in one process to its end. */
export const runClient = async <Name extends keyof Tasks>(
  name: Name,
  settings: Settings<Name>,
): Promise<Result<Name>> => (await runClients(name, [settings]))[0]

/** The clerks for each of two processes. */
export const inHalves = (clerks: readonly Clerk[]): Clerk[][] =>
  [0, 1].map((rest) => clerks.filter((_clerk, index) => index % 2 === rest))

const nextMessage = (name: string, child: ChildProcess): Promise<unknown> =>
  Promise.race([
    once(child, 'message').then(([{ reply }]) => reply as unknown),
    once(child, 'disconnect').then(() => Promise.reject(new Error(`The client ${name} ended too early`))),
  ])

type Task = (settings: unknown, step: Step) => Promise<unknown>

async function beClient(): Promise<void> {
  process.once('disconnect', () => process.exit(1))
  const receive = async <T>(): Promise<T> => (await once(process, 'message'))[0].message as T
  const step: Step = <T>() => {
    const next = receive<T>()
    process.send?.({})
    return next
  }
  const { name, settings } = await receive<{ name: keyof Tasks; settings: unknown }>()
  const reply = await (tasks[name] as Task)(settings, step)
  process.send?.({ reply }, () => process.exit(0))
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) void beClient()
