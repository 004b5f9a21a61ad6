import type { Figure } from './figures.ts'
import { measureHistory } from './parts/history.ts'
import { measureMixedReads } from './parts/mixed-reads.ts'
import { measureReturn } from './parts/return.ts'
import { measureSmallFiles } from './parts/small-files.ts'
import { measureSockets } from './parts/sockets.ts'
import { measureUploads } from './parts/uploads.ts'
import type { PartSettings, Testbed } from './testbed.ts'

/** In the order in which they run: the history grows. */
export const parts = {
  sockets: measureSockets,
  small: measureSmallFiles,
  mixed: measureMixedReads,
  uploads: measureUploads,
  return: measureReturn,
  history: measureHistory,
} as const satisfies Record<string, (testbed: Testbed, settings: PartSettings) => Promise<Figure[]>>

export type PartName = keyof typeof parts
export const partNames = Object.keys(parts) as PartName[]
