import { labelKey } from '@veridict/contract/notation/label'
import { QUOTE, SPACE } from '#formats/byte-names.ts'
import { type CsvDialect, DELIMITERS } from '#formats/csv/csv-dialect.ts'
import { isBlankRecord, RecordReader } from '#formats/csv/record-reader.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import type { Platform } from '#platform.ts'

/**
 * Records below the header whose widths are compared. For a dictionary of one column it is the whole sample,
 * since the delimiter may be rare in it.
 */
const SAMPLE_RECORDS = 100

/** Bytes read at a time: a header and hardly more. */
const STEP_BYTES = 256

/** No limits here: a wrong delimiter that breaks one must not make another delimiter look better. */
const NO_LIMITS = { maxCellLength: Infinity, maxColumns: Infinity }

type Candidate = { dialect: CsvDialect; labelsFound: number; consistency: number; width: number }

/**
 * The delimiter that fits best: the one that finds most of the dictionary's labels in the header; among
 * equals the one that gives the most even rows, then the widest header, then the comma. `sample` is the start
 * of the text, or all of it. See docs/BEHAVIOUR.md#csv.
 */
export function sniffDialect(
  sample: Uint8Array,
  labels: readonly string[],
  platform: Pick<Platform, 'decodeUtf8'>,
  isWhole: boolean,
): CsvDialect {
  const wanted = new Set(labels.map(labelKey))
  let best: Candidate | null = null
  for (const delimiter of DELIMITERS) {
    const dialect = { delimiter }
    const [header = []] = readSample(dialect, sample, platform, 1)
    // A header of nothing but these delimiters: with any other delimiter they would be a label.
    if (header.length === 0 && isBlank(sample, delimiter)) return dialect
    const labelsFound = header.filter((label) => wanted.has(labelKey(label))).length
    // All of the labels, and more than before: the rows could not change that.
    if (wanted.size > 1 && labelsFound === wanted.size && labelsFound > (best?.labelsFound ?? 0))
      return dialect
    const most = wanted.size === 1 ? Infinity : SAMPLE_RECORDS + 1
    const candidate = candidateOf(
      { dialect, labelsFound },
      readUntilBroken(dialect, sample, platform, most, isWhole),
    )
    if (best === null || isBetter(candidate, best)) best = candidate
  }
  return best!.dialect
}

/** Nothing but delimiters, quotes and white space. */
const isBlank = (sample: Uint8Array, delimiter: number): boolean =>
  sample.every((byte) => byte === delimiter || byte === QUOTE || (byte <= SPACE && byte !== 0))

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.labelsFound !== b.labelsFound) return a.labelsFound > b.labelsFound
  if (a.consistency !== b.consistency) return a.consistency > b.consistency
  return a.width > b.width
}

function candidateOf(
  known: Pick<Candidate, 'dialect' | 'labelsFound'>,
  { records, isBroken }: ReadRecords,
): Candidate {
  const [header = [], ...rows] = records
  const width = header.length
  const even = rows.filter((cells) => cells.length >= width && isBlankRecord(cells.slice(width))).length
  const looked = rows.length + (isBroken ? 1 : 0)
  const share = looked === 0 ? 1 : even / looked
  return { ...known, consistency: width < 2 ? ofOneColumn(share, isBroken, known.labelsFound) : share, width }
}

/**
 * One column is what every wrong delimiter finds, so it is worth less than any two. Where the dictionary asks
 * for one, its rows decide: a program that writes 1,5 without quotes uses another delimiter than the comma.
 * What breaks the grammar comes last.
 */
function ofOneColumn(share: number, isBroken: boolean, labelsFound: number): number {
  if (labelsFound === 0) return -1
  return isBroken ? -2 : share - 1
}

/**
 * The first `most` records that are not blank, or a few more, as far as they can be read. One cut by the end
 * of the sample is left out, unless it is the first, or the sample is the whole text.
 */
export function readSample(
  dialect: CsvDialect,
  sample: Uint8Array,
  platform: Pick<Platform, 'decodeUtf8'>,
  most: number,
  isWhole: boolean = false,
): string[][] {
  return readUntilBroken(dialect, sample, platform, most, isWhole).records
}

type ReadRecords = {
  records: string[][]
  /** Whether the text after these records breaks the grammar. */
  isBroken: boolean
}

function readUntilBroken(
  dialect: CsvDialect,
  sample: Uint8Array,
  platform: Pick<Platform, 'decodeUtf8'>,
  most: number,
  isWhole: boolean,
): ReadRecords {
  const records: string[][] = []
  const reader = new RecordReader(dialect, platform, NO_LIMITS, ({ cells }) => {
    if (!isBlankRecord(cells)) records.push(cells)
  })
  try {
    for (let at = 0; at < sample.length && records.length < most; at += STEP_BYTES)
      reader.push(sample.subarray(at, at + STEP_BYTES))
    if (records.length === 0 || (isWhole && records.length < most)) reader.end()
  } catch (error) {
    if (!(error instanceof FileProblemError)) throw error
    return { records, isBroken: true }
  }
  return { records, isBroken: false }
}
