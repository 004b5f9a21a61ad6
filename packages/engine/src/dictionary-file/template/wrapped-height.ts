/** Height of a line of 11-point text, in points, and what a row adds above and below. */
const LINE_HEIGHT = 15
const PADDING = 6
/** Excel shows no row of more than 409 points. */
const MAX_LINES = 26
/** A width counts digits, and letters are narrower. */
const LETTERS_PER_DIGIT = 1.15

/**
 * Height of a row whose texts wrap in cells of so many characters, in points; about, since letters differ.
 */
export function wrappedHeight(cells: readonly { readonly text: string; readonly width: number }[]): number {
  const lines = Math.max(...cells.map(({ text, width }) => wrappedLines(text, width)))
  return Math.min(lines, MAX_LINES) * LINE_HEIGHT + PADDING
}

/** Lines of a text that wraps after so many characters. */
export function wrappedLines(text: string, width: number): number {
  return text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / (width * LETTERS_PER_DIGIT))), 0)
}
