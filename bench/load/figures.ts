import { markdownTable, outcome } from '../print.ts'

/** One line of the table. Without a goal a figure is for information. */
export type Figure = { part: string; what: string; measured: string; goal?: string; isMet?: boolean }

export const inPart = (part: string, figures: readonly Omit<Figure, 'part'>[]): Figure[] =>
  figures.map((figure) => ({ part, ...figure }))

/** How long something took, half and 95 % of the times, against a goal for one of the two. */
export function timesFigure(
  what: string,
  milliseconds: readonly number[],
  goal?: { percentile: 50 | 95; atMost: number },
): Omit<Figure, 'part'> {
  const [half, most] = [percentile(milliseconds, 50), percentile(milliseconds, 95)]
  const measured = `${inMilliseconds(half)} · ${inMilliseconds(most)}`
  if (goal === undefined) return { what, measured }
  const value = goal.percentile === 50 ? half : most
  return { what, measured, goal: `p${goal.percentile} ≤ ${goal.atMost} ms`, isMet: value <= goal.atMost }
}

/** The smallest value that so many percent of all are not above (nearest rank). */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? NaN
}

/** `1000 × 200, 3 × 503`. */
export function countStatuses(statuses: readonly number[]): string {
  return [...Map.groupBy(statuses, (status) => status)]
    .toSorted(([a], [b]) => a - b)
    .map(([status, same]) => `${same.length} × ${status === 0 ? 'no response' : status}`)
    .join(', ')
}

export const inMilliseconds = (value: number): string =>
  `${value >= 100 ? value.toFixed(0) : value.toFixed(1)} ms`

export const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

export const figureTable = (figures: readonly Figure[]): string =>
  markdownTable(
    ['Part', 'What', 'Measured', 'Goal', ''],
    figures.map(({ part, what, measured, goal = '', isMet }) => {
      return [part, what, measured, goal, isMet === undefined ? '' : outcome(isMet)]
    }),
    [0, 1, 2, 3, 4],
  )
