import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** The resources of one process, from its start to its end. */
export type Usage = {
  wallSeconds: number
  /** User and system time of all its threads. */
  cpuSeconds: number
  /** Largest resident memory. */
  peakBytes: number
}

export type Outcome = { usage: Usage; output: string; errorOutput: string }

const usageReporter = join(import.meta.dirname, 'report-usage.cjs')
/** Peers that hold a whole file as strings need more than Node's default. */
const HEAP_MIB = 8192

/**
 * With a common compile cache: no program spends time on parsing files or stripping types again. And with as
 * many threads for V8 as there are other processors, as our command line is started: Node starts four.
 */
export async function measureProcess(args: readonly string[], cacheFolder: string): Promise<Outcome> {
  const child = spawn(
    process.execPath,
    ['--require', usageReporter, '--v8-pool-size=0', `--max-old-space-size=${HEAP_MIB}`, ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: cacheFolder, NODE_NO_WARNINGS: '1' },
    },
  )
  // Not before: to fork this process of 300 MB takes 3 to 15 ms, which no program can help.
  const started = performance.now()
  const streams = [child.stdout, child.stderr, child.stdio[3] as Readable].map((stream) => text(stream!))
  await once(child, 'exit')
  const wallSeconds = (performance.now() - started) / 1000
  const [output, errorOutput, usage] = await Promise.all(streams)
  if (usage === '') throw new ProgramFailed(errorOutput || output)
  return { usage: { wallSeconds, ...(JSON.parse(usage) as Omit<Usage, 'wallSeconds'>) }, output, errorOutput }
}

/** A program could not do its job, for example not installed for this platform, or out of memory. */
export class ProgramFailed extends Error {
  constructor(errorOutput: string) {
    const lines = errorOutput.trim().split('\n')
    super(lines.find((line) => /error/i.test(line))?.trim() ?? (lines[0] || 'ended without output'))
    this.name = 'ProgramFailed'
  }
}
