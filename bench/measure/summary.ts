import type { ProgramName } from '../programs.ts'
import type { Measured } from './run-comparison.ts'

/** Figures of all runs of one program. Times in seconds, memory in MB (10⁶ bytes). */
export type Summary = {
  program: ProgramName
  runs: number
  median: number
  fastest: number
  slowest: number
  cpu: number
  peakMegabytes: number
  problem: string | null
}

/** null if a program did not run at all. */
export function summarize({ program, runs, problem }: Measured): Summary | null {
  if (runs.length === 0) return null
  const walls = runs.map(({ wallSeconds }) => wallSeconds)
  return {
    program,
    runs: runs.length,
    median: median(walls),
    fastest: Math.min(...walls),
    slowest: Math.max(...walls),
    cpu: median(runs.map(({ cpuSeconds }) => cpuSeconds)),
    peakMegabytes: median(runs.map(({ peakBytes }) => peakBytes)) / 1e6,
    problem,
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
