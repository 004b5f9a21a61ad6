import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const page = join(import.meta.dirname, '../../docs/PERFORMANCE.md')
const START = '<!-- figures: written by npm run bench -- --write -->'
const END = '<!-- end of figures -->'

/** Replaces the text between the marks in docs/PERFORMANCE.md. */
export function writeFigures(tables: string): void {
  const text = readFileSync(page, 'utf8')
  const [start, end] = [text.indexOf(START), text.indexOf(END)]
  if (start < 0 || end < start) throw new Error(`${page} lacks the marks around the figures.`)
  writeFileSync(page, `${text.slice(0, start)}${START}\n\n${tables.trim()}\n\n${text.slice(end)}`)
}
