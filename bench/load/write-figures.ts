import { readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { machineLine } from '../print/machine-line.ts'
import { type Figure, figureTable } from './figures.ts'

const page = join(import.meta.dirname, '../../docs/RELIABILITY.md')

/** Replaces the figures of a part in docs/RELIABILITY.md, between the marks with its name. */
export function writeFigures(part: string, figures: readonly Figure[]): void {
  const text = readFileSync(page, 'utf8')
  const [startMark, endMark] = [`<!-- load: ${part} -->`, `<!-- end of load: ${part} -->`]
  const [start, end] = [text.indexOf(startMark), text.indexOf(endMark)]
  if (start < 0 || end < start) throw new Error(`${page} lacks the marks of ${part}.`)
  const day = new Date().toISOString().slice(0, 10)
  const machine = `${machineLine()}; load ${loadavg()[0].toFixed(1)}; ${day}`
  const between = `${startMark}\n\n${figureTable(figures)}\n\n${machine}\n\n`
  writeFileSync(page, text.slice(0, start) + between + text.slice(end))
}
