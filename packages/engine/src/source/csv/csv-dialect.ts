import { CARRIAGE_RETURN, LINE_FEED, QUOTE, SPACE } from '#compile/byte-kinds.ts'
import type { FileGuards } from '#limits.ts'

/** How the cells and records of a CSV file are told apart. Quote and record ends are always the same. */
export type CsvDialect = { readonly delimiter: number }

export const COMMA = 0x2c
export const SEMICOLON = 0x3b
export const TAB = 0x09
export const PIPE = 0x7c

/** Tried in this order; the first of equally good ones is taken. Decisions, "CSV". */
export const DELIMITERS = [COMMA, SEMICOLON, TAB, PIPE] as const

/** A byte that ends a record. */
export const endsRecord = (byte: number): boolean => byte === LINE_FEED || byte === CARRIAGE_RETURN

/** White space that is skipped around a quoted cell; a tab only where it is not the delimiter. */
export const isPadding = (byte: number, dialect: CsvDialect): boolean => (byte === SPACE || byte === TAB) && byte !== dialect.delimiter

/** Bytes of the file that a UTF-16 code unit may take: three in UTF-8, or a quote that is doubled. */
export const BYTES_PER_UNIT = 3

/** Bytes that a cell may take in the file, its quotes and the white space around them included: not all that is dropped is free. */
export const maxCellBytes = ({ maxCellLength }: Pick<FileGuards, 'maxCellLength'>): number => maxCellLength * BYTES_PER_UNIT + 2

export { CARRIAGE_RETURN, LINE_FEED, QUOTE }
