import { uploadMessages } from '@veridict/contract/messages/upload'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { sourcePath, StorageUnavailableError, systemCode, type Storage } from '#platform/storage/storage.ts'
import { AppError, unavailable } from '#errors.ts'

const INSUFFICIENT_STORAGE = 507
export const storageFull = (message: string = uploadMessages.storageFull) =>
  new AppError(INSUFFICIENT_STORAGE, message)
const full = ['ENOSPC', 'EDQUOT', 'EFBIG']
const broken = [
  'EIO',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ESTALE',
  'ELOOP',
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ENXIO',
]

/** The error for the caller: 507 for a full storage, 503 for a broken one, else `error` itself. */
export function storageRefusal(error: unknown): unknown {
  if (error instanceof StorageUnavailableError) return unavailable()
  const code = systemCode(error) ?? ''
  if (full.includes(code)) return storageFull()
  return broken.includes(code) ? unavailable() : error
}

/** Whether the storage itself failed. A missing file is not such a failure. */
export const isStorageFailure = (error: unknown): boolean =>
  error instanceof StorageUnavailableError ||
  [...full, ...broken].some((code) => code !== 'ENOENT' && code === systemCode(error))

/** Whether the source of a submission is still in storage. Throws 503 while the storage is not available. */
export async function hasSource(
  { storageKey }: Pick<SubmissionRow, 'storageKey'>,
  storage: Storage,
): Promise<boolean> {
  try {
    return await storage.exists(sourcePath(storageKey))
  } catch (error) {
    throw storageRefusal(error)
  }
}

/** Whether little more can be uploaded to the storage: less than what is reserved. */
export const isAlmostFull = ({ free, total }: { free: number; total: number }, minFreeMegabytes: number) =>
  free < 2 * reservedBytes(total, minFreeMegabytes)

/** A limit for the setting, which on a small disk could refuse everything. */
const MAX_RESERVED_SHARE = 0.05

/** Bytes of a disk of `total` bytes that uploads leave free. */
export const reservedBytes = (total: number, minFreeSpaceMegabytes: number): number =>
  Math.min(minFreeSpaceMegabytes * 1024 * 1024, MAX_RESERVED_SHARE * total)
