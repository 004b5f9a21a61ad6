import { join } from 'node:path'
import type { Env } from '#env.ts'
import { openLocalDisk } from '#platform/storage/local-disk.ts'
import { readStorageAddress } from '#platform/storage/storage-address.ts'
import { SOURCES, type Storage } from '#platform/storage/storage.ts'

export type StorageSettings = Pick<Env, 'storageUrl' | 'dataDir' | 'azureConnectionString'>

/** The storage at an address. Throws `StorageAddressError`. Code of object stores is loaded on demand. */
export async function createStorage({
  storageUrl,
  dataDir,
  azureConnectionString,
}: StorageSettings): Promise<Storage> {
  const address = readStorageAddress(storageUrl)
  if (address.kind === 'folder') return openLocalDisk(address.path)
  const { openObjectStorage } = await import('#platform/storage/object-storage.ts')
  const store =
    address.kind === 's3'
      ? (await import('#platform/storage/s3-store.ts')).openS3(address)
      : await (await import('#platform/storage/azure-store.ts')).openAzure(address, azureConnectionString)
  return openObjectStorage(store, { prefix: address.prefix, folder: copiesFolder(dataDir) })
}

const copiesFolder = (dataDir: string): string => join(dataDir, 'objects')

/** The folder of the paths that `useFile` and `streamFile` hand out for sources. */
export function sourcesFolder({ storageUrl, dataDir }: StorageSettings): string {
  const address = readStorageAddress(storageUrl)
  return address.kind === 'folder' ? join(address.path, SOURCES) : copiesFolder(dataDir)
}
