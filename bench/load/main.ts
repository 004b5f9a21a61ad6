// Measures a portal under load: starts it with a database of its own, and clients in other processes.
import { utcDay } from '@veridict/contract/notation/utc-day'
import { loadavg } from 'node:os'
import { machineLine } from '../print/machine-line.ts'
import { writeBetween } from '../print/write-between.ts'
import { type Figure, figureTable } from './figures.ts'
import { readOptions } from './options.ts'
import { parts } from './parts.ts'
import { openTestbed } from './testbed.ts'

const options = readOptions(process.argv.slice(2))
const begun = performance.now()
const figures: Figure[] = []

console.log(`${machineLine()}; load before: ${load()}`)
const testbed = await openTestbed(options.portal)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void testbed.close().finally(() => process.exit(1)))
let failed = 0
for (const name of options.parts) {
  try {
    const measured = await parts[name](testbed, options)
    console.log(`\n${figureTable(measured)}\n`)
    figures.push(...measured)
    if (options.write) writeFigures(name, measured)
  } catch (error) {
    // The other parts can still be measured.
    failed++
    console.error(`${name} could not be measured:`, error)
  }
  console.log(`${name} done after ${secondsSince(begun)} s; load ${load()}`)
}
await testbed.close()
const missed = figures.filter(({ isMet }) => isMet === false)
console.log(`${figures.length} figures, ${missed.length} goals missed, ${secondsSince(begun)} s`)
process.exit(failed === 0 ? 0 : 1)

function load(): string {
  return loadavg()
    .map((average) => average.toFixed(1))
    .join(' ')
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(0)
}

/** Replaces the figures of a part in docs/RELIABILITY.md, between the marks with its name. */
function writeFigures(part: string, figures: readonly Figure[]): void {
  const machine = `${machineLine()}; load ${loadavg()[0].toFixed(1)}; ${utcDay()}`
  const marks: [string, string] = [`<!-- load: ${part} -->`, `<!-- end of load: ${part} -->`]
  writeBetween('RELIABILITY.md', marks, `${figureTable(figures)}\n\n${machine}`)
}
