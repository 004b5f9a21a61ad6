import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Tasks } from './clients/run.ts'

/** Clients in processes of their own, so that they do not wait for each other or for the parent. */
export type Clients<Result> = {
  /** Settles when all have finished their next step. */
  step(): Promise<void>
  /** Begins the next step. */
  go(message?: unknown): void
  results(): Promise<Result[]>
}

type Settings<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0]
type Result<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>
type Message = { step: true } | { result: unknown }

/** Starts a process for each of `settings`. */
export function startClients<Name extends keyof Tasks>(
  name: Name,
  settings: readonly Settings<Name>[],
): Clients<Result<Name>> {
  const processes = settings.map((each) => startClient(name, each))
  return {
    step: async () => void (await Promise.all(processes.map(({ step }) => step()))),
    go: (message = null) => processes.forEach(({ child }) => child.send(message as object)),
    results: async () => (await Promise.all(processes.map(({ result }) => result))) as Result<Name>[],
  }
}

/** Runs a task in one process to its end. */
export const runClient = async <Name extends keyof Tasks>(
  name: Name,
  settings: Settings<Name>,
): Promise<Result<Name>> => (await startClients(name, [settings]).results())[0]

function startClient(name: string, settings: unknown) {
  const child: ChildProcess = fork(join(import.meta.dirname, 'clients/run.ts'))
  let steps = 0
  let onStep = () => {}
  const result = new Promise<unknown>((resolve, reject) => {
    child.on('message', (message: Message) => {
      if ('result' in message) return resolve(message.result)
      steps++
      onStep()
    })
    child.once('exit', (code) => reject(new Error(`The client ${name} ended with code ${code}`)))
  })
  // Prevents an unhandled rejection; the caller of `results` gets the error.
  result.catch(() => {})
  child.send({ name, settings })
  const step = () =>
    new Promise<void>((resolve, reject) => {
      onStep = () => {
        if (steps === 0) return
        steps--
        onStep = () => {}
        resolve()
      }
      result.catch(reject)
      onStep()
    })
  return { child, step, result }
}
