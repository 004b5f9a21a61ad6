/** The height of a line of 11-point text, and of the space above and below, in points. */
const LINE_HEIGHT = 15
const PADDING = 6
/** Excel shows no row higher than 409 points. */
const MAX_LINES = 26
/** Widths are measured in digits; letters are narrower. */
const LETTERS_PER_DIGIT = 1.15

/** The approximate height in points of a row whose texts wrap at the widths given, in characters. */
export function wrappedHeight(cells: readonly { readonly text: string; readonly width: number }[]): number {
  const lines = Math.max(...cells.map(({ text, width }) => wrappedLines(text, width)))
  return Math.min(lines, MAX_LINES) * LINE_HEIGHT + PADDING
}

/** How many lines a text takes that wraps after `width` characters. */
export function wrappedLines(text: string, width: number): number {
  return text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / (width * LETTERS_PER_DIGIT))), 0)
}
