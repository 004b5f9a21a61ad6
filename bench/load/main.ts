// Measures a portal under load: starts it with a database of its own, and clients in other processes.
import { loadavg } from 'node:os'
import { machineLine } from '../print/machine-line.ts'
import { type Figure, figureTable } from './figures.ts'
import { readOptions } from './options.ts'
import { parts } from './parts.ts'
import { openWorld } from './world.ts'
import { writeFigures } from './write-figures.ts'

const options = readOptions(process.argv.slice(2))
const begun = performance.now()
const figures: Figure[] = []

say(`${machineLine()}; load before: ${load()}`)
const world = await openWorld(options.portal)
try {
  for (const name of options.parts) {
    const measured = await parts[name](world, options)
    say(`\n${figureTable(measured)}\n`)
    say(`${name} done after ${secondsSince(begun)} s; load ${load()}`)
    figures.push(...measured)
    if (options.write) writeFigures(name, measured)
  }
} finally {
  await world.close()
}
const missed = figures.filter(({ isMet }) => isMet === false)
say(`${figures.length} figures, ${missed.length} goals missed, ${secondsSince(begun)} s`)

function load(): string {
  return loadavg()
    .map((average) => average.toFixed(1))
    .join(' ')
}

function secondsSince(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(0)
}

function say(text: string): void {
  console.log(text)
}
