import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Replaces the text between two marks in a page of docs/. */
export function writeBetween(page: string, [startMark, endMark]: [string, string], between: string): void {
  const path = join(import.meta.dirname, '../../docs', page)
  const text = readFileSync(path, 'utf8')
  const [start, end] = [text.indexOf(startMark), text.indexOf(endMark)]
  if (start < 0 || end < start) throw new Error(`${page} lacks the marks ${startMark} and ${endMark}.`)
  writeFileSync(path, `${text.slice(0, start)}${startMark}\n\n${between.trim()}\n\n${text.slice(end)}`)
}
