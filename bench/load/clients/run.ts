// The process of a client: runs the task that its parent names, and sends back what it returns.
import { once } from 'node:events'
import type { Step } from './http.ts'
import { listen } from './listen.ts'
import { openPages } from './open-pages.ts'
import { request } from './request.ts'
import { uploadAndListen } from './upload-and-listen.ts'
import { uploadFiles } from './upload-files.ts'

type Task = (settings: never, step: Step) => Promise<unknown>

const tasks = { listen, openPages, request, uploadAndListen, uploadFiles } as const satisfies Record<
  string,
  Task
>
export type Tasks = typeof tasks

process.once('disconnect', () => process.exit(1))

const step: Step = async <T>() => {
  const next = once(process, 'message')
  process.send?.({ step: true })
  return (await next)[0] as T
}

const [{ name, settings }] = (await once(process, 'message')) as [{ name: keyof Tasks; settings: never }]
const result = await (tasks[name] as Task)(settings, step)
process.send?.({ result: result ?? null }, () => process.exit(0))
