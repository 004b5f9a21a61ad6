// `npm run load`: measures a portal with a database of its own, under load from clients in other processes.
import { utcDay } from '@veridict/contract/notation/utc-day'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { namesIn, readOptions, wholeNumber } from '../options.ts'
import { machineLine, writeBetween } from '../print.ts'
import { type Figure, figureTable } from './figures.ts'
import { measureMixedReads } from './parts/mixed-reads.ts'
import { measureSmallFiles } from './parts/small-files.ts'
import { measureSockets } from './parts/sockets.ts'
import { measureUploads } from './parts/uploads.ts'
import { openTestbed, type PartSettings, type Testbed } from './testbed.ts'

/** In the order in which they run: history grows. */
const parts = {
  sockets: measureSockets,
  small: measureSmallFiles,
  mixed: measureMixedReads,
  uploads: measureUploads,
} as const satisfies Record<string, (testbed: Testbed, settings: PartSettings) => Promise<Figure[]>>
const partNames = Object.keys(parts) as (keyof typeof parts)[]

const USAGE = `npm run load -- [options]

  --part <names>   what to measure, by name: ${partNames.join(', ')}
  --seconds <n>    how long mixed reads go on (60)
  --portal <path>  measures the portal of another checkout, to compare
  --no-write       only prints the figures
  --help           this text

All parts take some minutes on two cores.`

const options = readOptions(
  USAGE,
  {
    part: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    portal: { type: 'string', default: join(import.meta.dirname, '../..') },
    write: { type: 'boolean', default: true },
  },
  ({ part, seconds, portal, write }) => ({
    parts: namesIn(part, partNames),
    seconds: wholeNumber('seconds', seconds),
    portal: resolve(portal),
    write,
  }),
)
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
