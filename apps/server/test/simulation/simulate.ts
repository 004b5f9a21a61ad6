import { execFile } from 'node:child_process'
import { join } from 'node:path'

/** Runs it in a process of its own, because the simulation replaces the clock of its process. */
export const simulate = (...options: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const program = join(import.meta.dirname, 'main.ts')
    execFile(process.execPath, [program, ...options], { maxBuffer: 2 ** 26 }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: output + errors }),
    )
  })
/** What a line of the output says. */
export const valueOf = (output: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(output)?.[1]
