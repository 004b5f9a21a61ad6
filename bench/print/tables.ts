import type { CauseCosts } from '../causes/measure-causes.ts'
import { goalLines, type Results } from '../goals.ts'
import { type Measured } from '../measure/run-comparison.ts'
import { type Summary, summarize } from '../measure/summary.ts'
import { programs } from '../programs.ts'

/** One comparison as a Markdown table; times are put in proportion to the first program that ran. */
export function comparisonTable(title: string, bytes: number, measured: readonly Measured[]): string {
  const summaries = measured.map(summarize)
  const ours = summaries.find((summary) => summary !== null)
  const lines = measured.map((each, index) => {
    const summary = summaries[index]
    const name = programs[each.program].title
    return summary && ours
      ? summaryLine(name, summary, ours, bytes)
      : `| ${name} | did not run: ${each.problem} |`
  })
  return [
    `### ${title}`,
    '',
    '| Program | Time, as a multiple of ours | Median, s | Fastest – slowest, s | CPU, s ' +
      '| Peak memory, MB | MB/s | Result |',
    '|---|--:|--:|--:|--:|--:|--:|---|',
    ...lines,
    '',
  ].join('\n')
}

function summaryLine(name: string, summary: Summary, ours: Summary, bytes: number): string {
  const { median, fastest, slowest, cpu, peakMegabytes, problem, runs } = summary
  const cells = [
    name,
    (median / ours.median).toFixed(2),
    median.toFixed(2),
    runs === 1 ? '(one run)' : `${fastest.toFixed(2)} – ${slowest.toFixed(2)}`,
    cpu.toFixed(2),
    peakMegabytes.toFixed(0),
    (bytes / 1e6 / median).toFixed(0),
    problem === null ? 'as generated' : `**wrong**: ${problem}`,
  ]
  return `| ${cells.join(' | ')} |`
}

export function goalTable(results: Results, causes: CauseCosts | null): string {
  const lines = goalLines(results, causes)
  return lines.length === 0
    ? ''
    : ['### Goals', '', '| Figure | At most | Measured | |', '|---|--:|--:|---|', ...lines, ''].join('\n')
}
