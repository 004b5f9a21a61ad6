import { CARRIAGE_RETURN, COMMA, LINE_FEED, PIPE, SEMICOLON, SPACE, TAB } from '#formats/byte-names.ts'
import type { FileGuards } from '#limits.ts'

/** How the cells and records of a CSV file are told apart. Quote and record ends are always the same. */
export type CsvDialect = { readonly delimiter: number }

/** Tried in this order; the first of equally good ones is taken. Decisions, "CSV". */
export const DELIMITERS = [COMMA, SEMICOLON, TAB, PIPE] as const

/** A byte that ends a record. */
export const endsRecord = (byte: number): boolean => byte === LINE_FEED || byte === CARRIAGE_RETURN

/** White space that is skipped around a quoted cell; a tab only where it is not the delimiter. */
export const isPadding = (byte: number, dialect: CsvDialect): boolean =>
  (byte === SPACE || byte === TAB) && byte !== dialect.delimiter

/**
 * The most bytes that a UTF-16 code unit takes in a file: three in UTF-8, where a doubled quote takes two.
 */
export const BYTES_PER_UNIT = 3

/**
 * The most bytes that a cell may take in a file, its quotes and the white space around them included: what is
 * dropped has an end, too.
 */
export const maxCellBytes = ({ maxCellLength }: Pick<FileGuards, 'maxCellLength'>): number =>
  maxCellLength * BYTES_PER_UNIT + 2
