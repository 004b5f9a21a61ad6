import type { ByteSource } from '#byte-source.ts'
import { LINE_FEED } from '#formats/byte-names.ts'
import { Bailout, CellReader, CUT } from '#formats/csv/cell-reader.ts'
import { type CsvDialect, endsRecord } from '#formats/csv/csv-dialect.ts'
import type { Platform } from '#platform.ts'

/** Bytes after the wanted place that are searched for a record: the first ones are nearly always enough. */
const WINDOWS_BYTES = [1 << 15, 1 << 18]
/** Records after a guess that must be as wide as the header: lines inside a quoted cell hardly ever are. */
const TRIED_RECORDS = 8
const MAX_GUESSES = 50

/**
 * Guesses for each place, which may be inside a quoted cell, where the next record begins: after a line feed
 * that records of `width` cells follow. null without one, as in a file whose records end with CR alone.
 */
export async function guessRecordStarts(
  bytes: ByteSource,
  places: readonly number[],
  dialect: CsvDialect,
  width: number,
  platform: Pick<Platform, 'decodeUtf8'>,
): Promise<(number | null)[]> {
  const reader = new CellReader(dialect, platform)
  const windows = WINDOWS_BYTES.map((size) => new Uint8Array(size))
  const starts: (number | null)[] = []
  for (const place of places) {
    let start: number | null = null
    for (const window of windows)
      start ??= recordStartIn(window.subarray(0, await bytes.read(window, place)), width, reader)
    starts.push(start && place + start)
  }
  return starts
}

function recordStartIn(sample: Uint8Array, width: number, reader: CellReader): number | null {
  reader.use(sample)
  let start = sample.indexOf(LINE_FEED) + 1
  for (let guess = 0; guess < MAX_GUESSES && start > 0; guess++) {
    if (areRecords(sample, start, width, reader)) return start
    start = sample.indexOf(LINE_FEED, start) + 1
  }
  return null
}

/** Whether records of `width` cells begin at `start`. Empty lines do not count. */
function areRecords(sample: Uint8Array, start: number, width: number, reader: CellReader): boolean {
  try {
    for (let next = start, records = 0; records < TRIED_RECORDS;) {
      const isEmpty = endsRecord(sample[next])
      next = reader.nextRecord(next, sample.length, false)
      if (next === CUT || (reader.cells !== width && !isEmpty)) return false
      if (!isEmpty) records++
    }
    return true
  } catch (error) {
    if (error instanceof Bailout) return false
    throw error
  }
}
