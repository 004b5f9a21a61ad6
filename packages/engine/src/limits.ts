import { fileGuards } from '@veridict/contract/limits'

/** Limits of one file. Infinity: no limit. See docs/BEHAVIOUR.md#limits. */
export type FileGuards = {
  /** Of a workbook's parts, counted while they are unpacked: the sizes in the archive may be false. */
  maxUnpackedBytes: number
  maxZipParts: number
  /** Rows of a worksheet. The rows of a CSV file are bounded by its size alone. */
  maxRows: number
  maxColumns: number
  /** In UTF-16 code units, as Excel counts. */
  maxCellLength: number
}

/** The limits of the portal. The engine has no clock: its caller limits the time. */
export const portalGuards: FileGuards = fileGuards

/** The limits of the command line: none on the size. What a spreadsheet cannot hold is refused here too. */
export const commandLineGuards: FileGuards = {
  ...portalGuards,
  maxUnpackedBytes: Infinity,
  maxZipParts: Infinity,
}
