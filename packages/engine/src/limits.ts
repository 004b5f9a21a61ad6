import { fileGuards } from '@veridict/contract/limits'

/** Bounds on one file. Infinity means none. Decisions, "Reading files". */
export type FileGuards = {
  /** Bytes of a workbook's parts, counted while inflating: what a zip says of itself may lie. */
  maxUnpackedBytes: number
  maxZipParts: number
  /** Rows of a worksheet. The rows of a CSV file are bounded by its size alone. */
  maxRows: number
  maxColumns: number
  /** In UTF-16 code units, as Excel counts. */
  maxCellLength: number
}

/**
 * What the portal applies. The time a file may take is bounded by whoever runs the engine: the engine has no
 * clock.
 */
export const portalGuards: FileGuards = {
  maxUnpackedBytes: fileGuards.maxUnpackedBytes,
  maxZipParts: fileGuards.maxZipParts,
  maxRows: fileGuards.maxRows,
  maxColumns: fileGuards.maxColumns,
  maxCellLength: fileGuards.maxCellLength,
}

/** What the command line applies: no bound on size; what a spreadsheet could not hold stays refused. */
export const commandLineGuards: FileGuards = {
  ...portalGuards,
  maxUnpackedBytes: Infinity,
  maxZipParts: Infinity,
}
