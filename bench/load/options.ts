import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { end, namesIn, wholeNumber } from '../option-values.ts'
import { partNames, type PartName } from './parts.ts'
import type { PartSettings } from './testbed.ts'

export type Options = PartSettings & {
  parts: readonly PartName[]
  /** The folder of the portal that is measured. */
  portal: string
  /** Writes the figures into docs/RELIABILITY.md. */
  write: boolean
}

const USAGE = `npm run load -- [options]

  --part <names>   what to measure, by name: ${partNames.join(', ')}
  --rows <n>       submissions of the large company (1000000)
  --seconds <n>    how long mixed reads go on (60)
  --portal <path>  measures the portal of another checkout, to compare
  --no-write       only prints the figures
  --help           this text

All parts take about ten minutes on two cores.`

/** Ends the process after `--help` and after invalid options. */
export function readOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      allowNegative: true,
      options: {
        part: { type: 'string' },
        rows: { type: 'string', default: '1000000' },
        seconds: { type: 'string', default: '60' },
        portal: { type: 'string', default: join(import.meta.dirname, '../..') },
        write: { type: 'boolean', default: true },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) end(USAGE, 0)
    return {
      parts: values.part === undefined ? partNames : namesIn(values.part, partNames),
      rows: wholeNumber('rows', values.rows),
      seconds: wholeNumber('seconds', values.seconds),
      portal: resolve(values.portal),
      write: values.write,
    }
  } catch (error) {
    return end(`${(error as Error).message}\n\n${USAGE}`, 2)
  }
}
