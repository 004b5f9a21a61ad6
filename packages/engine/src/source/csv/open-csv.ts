import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { ErrorType } from '@veridict/contract/model/verdict'
import type { ByteSource } from '#byte-source.ts'
import { CARRIAGE_RETURN, LINE_FEED } from '#formats/byte-names.ts'
import { type CsvDialect, DELIMITERS, endsRecord } from '#formats/csv/csv-dialect.ts'
import { openText } from '#formats/csv/open-text.ts'
import { type CsvRecord, isBlankRecord, RecordReader } from '#formats/csv/record-reader.ts'
import { firstLineOf, type Text, type TextBytes } from '#formats/csv/text-bytes.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'
import { CsvTable } from '#source/csv/csv-table.ts'
import { readSample, sniffDialect } from '#source/csv/sniff-dialect.ts'
import { findFirstColumn } from '#source/first-column.ts'

/** Rows by which it is decided. */
const MOST_ROWS = 101
/** Bytes of the text that the delimiter is guessed from. */
const SAMPLE_BYTES = 1 << 18

/**
 * The header is the first record that is not blank; `labels` are those of the dictionary. Throws
 * `FileProblemError` for a file that is empty or not text, and for more columns than the limits allow.
 */
export async function openCsv(
  text: Text,
  platform: Platform,
  limits: FileGuards,
  labels: readonly string[],
): Promise<CsvTable> {
  const sample = await readUpTo(await text.from(0), SAMPLE_BYTES)
  const isWhole = sample.length < SAMPLE_BYTES
  const dialect =
    text.delimiter === undefined
      ? sniffDialect(sample, labels, platform, isWhole)
      : { delimiter: text.delimiter }
  const headerRecord = await readHeader(text, dialect, platform, limits)
  if (headerRecord === null) throw new FileProblemError(ErrorType.NoRows, fileProblemMessages.emptyFile)
  const firstColumn = findFirstColumn(
    headerRecord.cells,
    () => readSample(dialect, sample, platform, 2, isWhole)[1],
  )
  return new CsvTable({ text, dialect, headerRecord, firstColumn, platform, limits })
}

/**
 * The delimiter of rows below a heading row with another one: with it, the first rows have as many cells as
 * the heading row; with that of the heading row, none has. null if there is none such, or if a line above the
 * heading row names the delimiter.
 */
export async function findRowsDelimiter(
  source: ByteSource,
  delimiter: number,
  width: number,
  platform: Platform,
): Promise<number | null> {
  const text = await openText(source, platform)
  if (text.delimiter !== undefined) return null
  const sample = await readUpTo(await text.from(0), SAMPLE_BYTES)
  const widths = (one: number, most = MOST_ROWS) =>
    readSample({ delimiter: one }, sample, platform, most, sample.length < SAMPLE_BYTES)
      .slice(1)
      .map(({ length }) => length)
  const isWide = (most?: number) => widths(delimiter, most).some((cells) => cells >= width)
  // The first row is nearly always wide enough.
  if (width < 2 || isWide(2) || isWide()) return null
  const found = DELIMITERS.filter((one) => {
    const ofRows = widths(one)
    return one !== delimiter && ofRows.length > 0 && ofRows.every((cells) => cells === width)
  })
  return found.length === 1 ? found[0] : null
}

async function readUpTo(bytes: TextBytes, most: number): Promise<Uint8Array> {
  const sample = new Uint8Array(most + 4)
  let length = 0
  while (length < most) {
    const count = await bytes.read(sample.subarray(length))
    if (count === 0) break
    length += count
  }
  return sample.subarray(0, length)
}

async function readHeader(
  text: Text,
  dialect: CsvDialect,
  platform: Platform,
  limits: FileGuards,
): Promise<CsvRecord | null> {
  let header: CsvRecord | null = null
  const take = (record: CsvRecord) => {
    if (header === null && !isBlankRecord(record.cells)) header = record
  }
  const reader = new RecordReader(dialect, platform, limits, take, firstLineOf(text))
  const bytes = await text.from(0)
  const chunk = new Uint8Array(4096)
  for (let count = await bytes.read(chunk); count > 0 && header === null; count = await bytes.read(chunk)) {
    // Reads one line at a time, so that a problem of the columns is found before a problem below the header.
    for (let at = 0; at < count && header === null;) {
      const end = endOfLine(chunk, at, count)
      reader.push(chunk.subarray(at, end))
      at = end
    }
  }
  if (header !== null)
    return { ...(header as CsvRecord), end: await skipLineFeed(text, (header as CsvRecord).end) }
  // The header has no line end, so the text ends with it.
  reader.end()
  return header
}

/** The index after the line's CR or LF, from `from` on; `count` where neither is there yet. */
function endOfLine(chunk: Uint8Array, from: number, count: number): number {
  for (let at = from; at < count; at++) if (endsRecord(chunk[at])) return at + 1
  return count
}

/** A record ends at its CR; an LF after it belongs to the same record. */
async function skipLineFeed(text: Text, end: number): Promise<number> {
  const pair = await readUpTo(await text.from(end - 1), 2)
  return pair[0] === CARRIAGE_RETURN && pair[1] === LINE_FEED ? end + 1 : end
}
