import { labelKey } from '@veridict/contract/notation/label'
import { QUOTE, SPACE } from '#formats/byte-names.ts'
import { type CsvDialect, DELIMITERS } from '#formats/csv/csv-dialect.ts'
import { isBlankRecord, RecordReader } from '#formats/csv/record-reader.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import type { Platform } from '#platform.ts'

/** Records whose width is compared. For one column it is the whole sample, as the delimiter may be rare. */
const SAMPLE_RECORDS = 100

/** How many records are searched for a heading row below titles. */
const TITLE_RECORDS = 20

/** How many bytes are read at a time: enough for most headers. */
const STEP_BYTES = 256

/** A wrong delimiter that exceeds a limit must not make another wrong delimiter look better. */
const NO_LIMITS = { maxCellLength: Infinity, maxColumns: Infinity }

type Candidate = { dialect: CsvDialect; labelsFound: number; consistency: number; width: number }

/**
 * The delimiter that finds most labels of the dictionary in the header; among equals the one with the most
 * even rows, then the widest header, then the comma. `sample`: the start of the text. See
 * docs/BEHAVIOUR.md#csv.
 */
export function sniffDialect(
  sample: Uint8Array,
  labels: readonly string[],
  platform: Pick<Platform, 'decodeUtf8'>,
  isWhole: boolean,
): CsvDialect {
  const labelKeys = new Set(labels.map(labelKey))
  let best: Candidate | null = null
  for (const delimiter of DELIMITERS) {
    const dialect = { delimiter }
    const [header = []] = readSample(dialect, sample, platform, 1)
    // The header has only these delimiters: with any other delimiter they would be a label.
    if (header.length === 0 && isBlank(sample, delimiter)) return dialect
    const labelsFound = header.filter((label) => labelKeys.has(labelKey(label))).length
    // It finds all labels and more than the delimiters before: the rows could not change the result.
    if (labelKeys.size > 1 && labelsFound === labelKeys.size && labelsFound > (best?.labelsFound ?? 0))
      return dialect
    const most = labelKeys.size === 1 ? Infinity : SAMPLE_RECORDS + 1
    const candidate = candidateOf({ dialect, labelsFound }, (take) =>
      readUntilBroken(dialect, sample, platform, most, isWhole, take),
    )
    if (best === null || isBetter(candidate, best)) best = candidate
  }
  return (best!.labelsFound === 0 ? dialectBelowTitles(sample, labelKeys, platform) : null) ?? best!.dialect
}

/** The delimiter that finds labels in a row below titles, of which the first one may have no delimiter. */
function dialectBelowTitles(
  sample: Uint8Array,
  labelKeys: ReadonlySet<string>,
  platform: Pick<Platform, 'decodeUtf8'>,
): CsvDialect | null {
  let best: CsvDialect | null = null
  let most = 1
  for (const delimiter of DELIMITERS)
    for (const cells of readSample({ delimiter }, sample, platform, TITLE_RECORDS)) {
      const found = new Set(cells.map(labelKey).filter((key) => labelKeys.has(key))).size
      if (found > most) [best, most] = [{ delimiter }, found]
    }
  return best
}

/** Nothing but delimiters, quotes and white space. */
const isBlank = (sample: Uint8Array, delimiter: number): boolean =>
  sample.every((byte) => byte === delimiter || byte === QUOTE || (byte <= SPACE && byte !== 0))

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.labelsFound !== b.labelsFound) return a.labelsFound > b.labelsFound
  if (a.consistency !== b.consistency) return a.consistency > b.consistency
  return a.width > b.width
}

/** Counts the records as they come: a sample may have 50,000 of one column. */
function candidateOf(
  known: Pick<Candidate, 'dialect' | 'labelsFound'>,
  read: (take: (cells: string[]) => void) => boolean,
): Candidate {
  let header: string[] | null = null
  let rows = 0
  let even = 0
  const isBroken = read((cells) => {
    if (header === null) header = cells
    else {
      rows++
      if (cells.length >= header.length && isBlankRecord(cells.slice(header.length))) even++
    }
  })
  const width = (header as string[] | null)?.length ?? 0
  const looked = rows + (isBroken ? 1 : 0)
  const share = looked === 0 ? 1 : even / looked
  return { ...known, consistency: width < 2 ? ofOneColumn(share, isBroken, known.labelsFound) : share, width }
}

/**
 * One column ranks below any two, because every wrong delimiter finds one. In a dictionary of one column,
 * rows decide: who writes 1,5 without quotes does not use the comma. A broken grammar ranks last.
 */
function ofOneColumn(share: number, isBroken: boolean, labelsFound: number): number {
  if (labelsFound === 0) return -1
  return isBroken ? -2 : share - 1
}

/**
 * About the first `most` records that are not blank, as far as they can be read. A record that is cut by the
 * end of the sample is left out, unless it is the first one or the sample is the whole text.
 */
export function readSample(
  dialect: CsvDialect,
  sample: Uint8Array,
  platform: Pick<Platform, 'decodeUtf8'>,
  most: number,
  isWhole: boolean = false,
): string[][] {
  const records: string[][] = []
  readUntilBroken(dialect, sample, platform, most, isWhole, (cells) => records.push(cells))
  return records
}

/** Hands over each record as `readSample` does. Returns whether the text after them breaks the grammar. */
function readUntilBroken(
  dialect: CsvDialect,
  sample: Uint8Array,
  platform: Pick<Platform, 'decodeUtf8'>,
  most: number,
  isWhole: boolean,
  take: (cells: string[]) => void,
): boolean {
  let count = 0
  const reader = new RecordReader(dialect, platform, NO_LIMITS, ({ cells }) => {
    if (isBlankRecord(cells)) return
    count++
    take(cells)
  })
  try {
    for (let at = 0; at < sample.length && count < most; at += STEP_BYTES)
      reader.push(sample.subarray(at, at + STEP_BYTES))
    if (count === 0 || (isWhole && count < most)) reader.end()
  } catch (error) {
    if (!(error instanceof FileProblemError)) throw error
    return true
  }
  return false
}
