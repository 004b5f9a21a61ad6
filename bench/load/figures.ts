/** One line of the table. Without a goal a figure is for information. */
export type Figure = {
  part: string
  what: string
  measured: string
  goal?: string
  isMet?: boolean
}

type Measured = { part: string; what: string }

/** How long something took, half and 95 % of the times, against a goal for one of the two. */
export function timesFigure(
  about: Measured,
  milliseconds: readonly number[],
  goal?: { percentile: 50 | 95; atMost: number },
): Figure {
  const [half, most] = [percentile(milliseconds, 50), percentile(milliseconds, 95)]
  const measured = `${inMilliseconds(half)} · ${inMilliseconds(most)}`
  if (goal === undefined) return { ...about, measured }
  const value = goal.percentile === 50 ? half : most
  return { ...about, measured, goal: `p${goal.percentile} ≤ ${goal.atMost} ms`, isMet: value <= goal.atMost }
}

/** The smallest value that so many percent of all are not above (nearest rank). */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? NaN
}

/** `1000 × 200, 3 × 503`. */
export function countStatuses(statuses: readonly number[]): string {
  const counts = new Map<number, number>()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status === 0 ? 'no response' : status}`)
    .join(', ')
}

export const inMilliseconds = (value: number): string =>
  `${value >= 100 ? value.toFixed(0) : value.toFixed(1)} ms`

export const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

export function figureTable(figures: readonly Figure[]): string {
  const lines = figures.map(
    ({ part, what, measured, goal = '', isMet }) =>
      `| ${part} | ${what} | ${measured} | ${goal} | ${outcome(isMet)} |`,
  )
  return ['| Part | What | Measured | Goal | |', '|---|---|---|---|---|', ...lines].join('\n')
}

const outcome = (isMet: boolean | undefined): string =>
  isMet === undefined ? '' : isMet ? 'met' : '**missed**'
