import { uploadMessages } from '@veridict/contract/messages/upload'
import { systemCode } from '#drivers/storage/storage.ts'
import { AppError, unavailable } from '#errors.ts'

const INSUFFICIENT_STORAGE = 507
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
  'EMFILE',
  'ENFILE',
  'ENODEV',
  'ENXIO',
]

/**
 * What a failure of the storage is to a caller: 507 when it is full, 503 when it is broken; everything else
 * stays what it is.
 */
export function storageRefusal(error: unknown): unknown {
  const code = systemCode(error) ?? ''
  if (full.includes(code)) return new AppError(INSUFFICIENT_STORAGE, uploadMessages.storageFull)
  return broken.includes(code) ? unavailable() : error
}
