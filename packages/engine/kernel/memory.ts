// Where everything is in the kernel's memory. All addresses are in bytes.

export const QUOTE: u32 = 0x22
export const CARRIAGE_RETURN: u32 = 0x0d
export const LINE_FEED: u32 = 0x0a
export const SPACE: u32 = 0x20

/** Bytes that a loop may read beyond a cell, and write beyond a list. */
const MARGIN: u32 = 128
/** Bytes of a vector. */
export const VECTOR: u32 = 16
const PAGE: u32 = 1 << 16

/** The chunk: the host reads the file into it. */
export let data: u32 = 0
/** Of the delimiters and line ends outside of quotes, in order: their addresses. */
export let positions: u32 = 0
/** Of each record: how many positions there are up to its end, which is one of them. */
export let recordEnds: u32 = 0
/** Of each regular record: which of the positions ends its first cell. */
export let firstEnds: u32 = 0
/** Of each regular record, `wordsPerRecord` words: a bit for each column whose cell is doubtful. */
export let doubts: u32 = 0
/**
 * Of each doubtful record: its number, where it begins and ends in `data`, and how many of its cells are
 * doubtful, or WHOLE_RECORD. Then of each of these cells: its column, where it begins and ends, its class.
 * Of a row of a worksheet: its number, how many of its cells are surely valid and not blank, 0, and how many
 * are doubtful. Then of each of these: its column, the address of its text if it has a class, 0, its class.
 */
export let doubtful: u32 = 0
/** VALUES heads, then as many values: see `findValue`. */
export let heads: u32 = 0
export let values: u32 = 0
/** The columns of a key, and the hashes of its values: see `hashKeys`. */
export let keyColumns: u32 = 0
export let keyHashes: u32 = 0
/** A value of a key that is not in the chunk. */
export let ownValue: u32 = 0
/** Of each column, COLUMN_SIZE bytes: what its cells must be. Behind them the rules between cells. */
export let descriptors: u32 = 0

export const COLUMN_SIZE: u32 = 64
/** Of a record in `doubtful`, and of a cell. */
export const LISTED_SIZE: u32 = 16

export const VALUES: u32 = 1 << 12
export const HEAD_SIZE: u32 = 16
export const LONGEST_VALUE: u32 = 240

export let columns: u32 = 0
export let wordsPerRecord: u32 = 0
export let delimiter: u8 = 0
export let longestRecord: u32 = 0

let free: u32 = 0

/** Room for `size` bytes, all 0, with room to read and write beyond both ends. */
export function allocate(size: u32): u32 {
  const at = (max<u32>(free, <u32>__heap_base) + MARGIN + VECTOR - 1) & ~(VECTOR - 1)
  const end = at + size + MARGIN
  const pages = <i32>((end + PAGE - 1) / PAGE) - memory.size()
  // To the host, addresses from 2 GiB on are negative.
  if (<i32>end < 0 || (pages > 0 && memory.grow(pages) < 0)) unreachable()
  free = end
  return at
}

/** Called before all else, and again for other columns. Records of more than `longest` bytes are doubtful. */
export function prepare(chunk: u32, columnCount: u32, delimiterByte: u8, longest: u32): void {
  columns = columnCount
  wordsPerRecord = (columnCount + 31) >> 5
  delimiter = delimiterByte
  longestRecord = longest
  data = allocate(chunk)
  // As many as there are bytes, if each one is a line end.
  positions = allocate(chunk << 2)
  recordEnds = allocate(chunk << 2)
  // A record has at least one byte for each of its cells. Of rows of a worksheet, `RowScanner` asks for
  // so few at once that rows * (columns + 1) are at most as many as there are bytes.
  doubtful = allocate(chunk * 2 * LISTED_SIZE)
  // A regular record has at least one byte for each of its columns, and another one.
  const regular = chunk / (columnCount + 1) + 1
  firstEnds = allocate(regular << 2)
  doubts = allocate((regular * wordsPerRecord) << 2)
  heads = allocate(VALUES * HEAD_SIZE)
  values = allocate(VALUES * LONGEST_VALUE)
  keyColumns = allocate(columnCount << 2)
  keyHashes = allocate((regular + 1) << 3)
  ownValue = allocate(max<u32>(longest, 4))
  // The last one, because a copy for another thread has only this and the tables after it.
  descriptors = allocate((columnCount + 1) * COLUMN_SIZE)
}
