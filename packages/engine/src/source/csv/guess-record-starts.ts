import type { ByteSource } from '#byte-source.ts'
import { LINE_FEED } from '#formats/byte-names.ts'
import type { CsvDialect } from '#formats/csv/csv-dialect.ts'
import type { Platform } from '#platform.ts'
import { readSample } from '#source/csv/sniff-dialect.ts'

/** How many bytes after the wanted place are searched for a record. */
const WINDOW_BYTES = 1 << 18
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
  const window = new Uint8Array(WINDOW_BYTES)
  const starts: (number | null)[] = []
  for (const place of places) {
    const sample = window.subarray(0, await bytes.read(window, place))
    const start = recordStartIn(sample, dialect, width, platform)
    starts.push(start && place + start)
  }
  return starts
}

function recordStartIn(
  sample: Uint8Array,
  dialect: CsvDialect,
  width: number,
  platform: Pick<Platform, 'decodeUtf8'>,
): number | null {
  let start = sample.indexOf(LINE_FEED) + 1
  for (let guess = 0; guess < MAX_GUESSES && start > 0; guess++) {
    const records = readSample(dialect, sample.subarray(start), platform, TRIED_RECORDS)
    if (records.length >= TRIED_RECORDS && records.every((cells) => cells.length === width)) return start
    start = sample.indexOf(LINE_FEED, start) + 1
  }
  return null
}
