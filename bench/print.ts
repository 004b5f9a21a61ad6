import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

export function machineLine(): string {
  const [{ model }] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const { node, v8 } = process.versions
  return `${cpus().length} × ${model.trim()}, ${memory} GiB, ${type()} ${release()}, Node ${node}, V8 ${v8}`
}

/** A table in Markdown. `texts`: the columns of text, by number; the others are of numbers. */
export const markdownTable = (
  header: readonly string[],
  rows: readonly (readonly string[])[],
  texts: readonly number[] = [0],
): string =>
  [header, header.map((_, column) => (texts.includes(column) ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

/** Whether a goal is met. */
export const outcome = (isMet: boolean): string => (isMet ? 'met' : '**missed**')

/** Replaces the text between two marks in a page of docs/. */
export function writeBetween(page: string, [startMark, endMark]: [string, string], between: string): void {
  const path = join(import.meta.dirname, '../docs', page)
  const text = readFileSync(path, 'utf8')
  const [start, end] = [text.indexOf(startMark), text.indexOf(endMark)]
  if (start < 0 || end < start) throw new Error(`${page} lacks the marks ${startMark} and ${endMark}.`)
  writeFileSync(path, `${text.slice(0, start)}${startMark}\n\n${between.trim()}\n\n${text.slice(end)}`)
}
