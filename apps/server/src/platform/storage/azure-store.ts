import { createReadStream } from 'node:fs'
import { BlobServiceClient, type RestError, type StoragePipelineOptions } from '@azure/storage-blob'
import { noSuchObject, type ObjectStore } from '#platform/storage/object-store.ts'
import type { StorageAddress } from '#platform/storage/storage-address.ts'

type AzureAddress = Extract<StorageAddress, { kind: 'azure' }>

const TRY_MILLISECONDS = 20_000
/** `object-storage` tries again. */
const options: StoragePipelineOptions = { retryOptions: { maxTries: 1, tryTimeoutInMs: TRY_MILLISECONDS } }

/** `account` uses the default credentials of the SDK; without it, AZURE_STORAGE_CONNECTION_STRING is used. */
export async function openAzure(
  { container, account }: AzureAddress,
  connectionString: string | null,
): Promise<ObjectStore> {
  const service = await openService(account, connectionString)
  const blobs = service.getContainerClient(container)

  return {
    async has(key) {
      return blobs.getBlobClient(key).exists()
    },
    async get(key, start) {
      try {
        const reply = await blobs.getBlobClient(key).download(start)
        const size = start + (reply.contentLength ?? 0)
        return { size, bytes: reply.readableStreamBody as AsyncIterable<Buffer> }
      } catch (error) {
        throw codeOf(error) === 'BlobNotFound' ? noSuchObject(key) : error
      }
    },
    async create(key, { path, bytes }) {
      try {
        const blob = blobs.getBlockBlobClient(key)
        // One request, so that readers never see a part.
        await blob.upload(() => createReadStream(path), bytes, { conditions: { ifNoneMatch: '*' } })
        return true
      } catch (error) {
        if (['BlobAlreadyExists', 'ConditionNotMet'].includes(codeOf(error) ?? '')) return false
        throw error
      }
    },
    async delete(key) {
      await blobs.getBlobClient(key).deleteIfExists()
    },
    async *list(prefix) {
      for await (const { name, properties } of blobs.listBlobsFlat({ prefix }))
        yield { key: name, modifiedAt: properties.lastModified }
    },
  }
}

async function openService(
  account: string | null,
  connectionString: string | null,
): Promise<BlobServiceClient> {
  if (account === null) return BlobServiceClient.fromConnectionString(connectionString ?? '', options)
  // Loaded on demand, because it is large and only this case needs it.
  const { DefaultAzureCredential } = await import('@azure/identity')
  return new BlobServiceClient(
    `https://${account}.blob.core.windows.net`,
    new DefaultAzureCredential(),
    options,
  )
}

const codeOf = (error: unknown): string | undefined => {
  const { code, details } = error as RestError
  return code ?? (details as { errorCode?: string } | undefined)?.errorCode
}
