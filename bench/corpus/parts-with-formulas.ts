import { readFileSync } from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'

/** Names of the parts of a workbook that hold a formula; a written error file must have none. */
export function partsWithFormulas(path: string): string[] {
  return Object.entries(unzipSync(readFileSync(path)))
    .filter(([, xml]) => /<f[\s>/]/.test(strFromU8(xml)))
    .map(([name]) => name)
}
