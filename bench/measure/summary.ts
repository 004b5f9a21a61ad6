import { markdownTable } from '../print.ts'
import { type ProgramName, programs } from '../programs.ts'
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

/** One comparison as a table; times are put in proportion to the first program that ran. */
export function comparisonTable(title: string, bytes: number, measured: readonly Measured[]): string {
  const ours = measured.map(summarize).find((summary) => summary !== null)
  const header = [
    'Program',
    'Time, as a multiple of ours',
    'Median, s',
    'Fastest – slowest, s',
    'CPU, s',
    'Peak memory, MB',
    'MB/s',
    'Result',
  ]
  const rows = measured.map((each) => {
    const summary = summarize(each)
    const doubts = each.doubts === null ? '' : `; kernel doubts ${each.doubts} rows`
    const cells = summary && ours ? summaryCells(summary, ours, bytes) : [`did not run: ${each.problem}`]
    return [programs[each.program].title, ...cells.slice(0, -1), `${cells.at(-1)!}${doubts}`]
  })
  return `### ${title}\n\n${markdownTable(header, rows, [0, header.length - 1])}\n`
}

function summaryCells(summary: Summary, ours: Summary, bytes: number): string[] {
  const { median: middle, fastest, slowest, cpu, peakMegabytes, problem, runs } = summary
  return [
    (middle / ours.median).toFixed(2),
    middle.toFixed(2),
    runs === 1 ? '(one run)' : `${fastest.toFixed(2)} – ${slowest.toFixed(2)}`,
    cpu.toFixed(2),
    peakMegabytes.toFixed(0),
    (bytes / 1e6 / middle).toFixed(0),
    problem === null ? 'as generated' : `**wrong**: ${problem}`,
  ]
}
