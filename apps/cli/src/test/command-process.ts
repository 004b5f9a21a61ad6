import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** No command prints it: it is escaped in texts of files. */
const END = '\0'

const main = `
import ${JSON.stringify(import.meta.resolve('#exit-with-2.mjs'))}
import { freshBundle, loadBundle } from ${JSON.stringify(import.meta.resolve('#fresh-bundle.ts'))}
const bundle = freshBundle()
const sources = ${JSON.stringify(import.meta.resolve('#run.ts'))}
const { run } = bundle === null ? await import(sources) : loadBundle(bundle + '/run.cjs')
process.on('message', async ({ args, settings }) => {
  Object.assign(process.env, settings)
  const status = await run(args)
  for (const stream of [process.stdout, process.stderr]) stream.write(${JSON.stringify(END)})
  process.send(status)
})`

/**
 * Runs commands one after the other in one process, as `main.mjs` does one: a start takes ten times as long
 * as most commands. `settings` of the environment also hold for later commands.
 */
export function startCommands(env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', main], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const end = new AbortController()
  child.on('exit', (code) => end.abort(new Error(`The process of the commands ended with ${code}`)))
  const output = { stdout: '', stderr: '' }
  const streams = { stdout: child.stdout!, stderr: child.stderr! }
  for (const name of ['stdout', 'stderr'] as const)
    streams[name].setEncoding('utf8').on('data', (part: string) => (output[name] += part))
  const untilEnd = async (name: keyof typeof output) => {
    while (!output[name].endsWith(END)) await once(streams[name], 'data', end)
    return output[name].slice(0, -END.length)
  }
  return {
    async run(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
      end.signal.throwIfAborted()
      output.stdout = output.stderr = ''
      child.send({ args, settings })
      const [[status], stdout, stderr] = await Promise.all([
        once(child, 'message', end),
        untilEnd('stdout'),
        untilEnd('stderr'),
      ])
      return { status: status as number, stdout, stderr }
    },
    stop: () => child.kill(),
  }
}
