import * as byteNames from '#formats/byte-names.ts'
import type { FileGuards } from '#limits.ts'

const { CARRIAGE_RETURN, COMMA, LINE_FEED, PIPE, SEMICOLON, SPACE, TAB } = byteNames

/** What separates the cells of a CSV file. The quote and the ends of records are the same in every file. */
export type CsvDialect = { readonly delimiter: number }

/** Tried in this order; if several fit equally well, the first one is used. See docs/BEHAVIOUR.md#csv. */
export const DELIMITERS = [COMMA, SEMICOLON, TAB, PIPE] as const

export const endsRecord = (byte: number): boolean => byte === LINE_FEED || byte === CARRIAGE_RETURN

/** White space that is skipped around a quoted cell; a tab only where it is not the delimiter. */
export const isPadding = (byte: number, dialect: CsvDialect): boolean =>
  (byte === SPACE || byte === TAB) && byte !== dialect.delimiter

/** The most bytes that a UTF-16 code unit takes in a file: three, as UTF-8. An escaped quote takes two. */
export const BYTES_PER_UNIT = 3

/** The most bytes that a cell may take in a file, with its quotes and the white space around them. */
export const maxCellBytes = ({ maxCellLength }: Pick<FileGuards, 'maxCellLength'>): number =>
  maxCellLength * BYTES_PER_UNIT + 2
