import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ServiceException,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import { noSuchObject, type ObjectStore } from '#platform/storage/object-store.ts'
import type { StorageAddress } from '#platform/storage/storage-address.ts'

type S3Address = Extract<StorageAddress, { kind: 's3' }>

const CONNECTION_MILLISECONDS = 3_000
/** Without a byte from the store for this long, a request has failed. */
const IDLE_MILLISECONDS = 10_000
/** A region is part of every signature; stores other than Amazon's ignore which one. */
const ANY_REGION = 'us-east-1'

/** S3 and what speaks its protocol. Credentials come from the variables and the chain of the AWS SDK. */
export function openS3({ bucket: Bucket, endpoint, region, pathStyle }: S3Address): ObjectStore {
  const client = new S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    ...(region === null ? (endpoint === null ? {} : { region: ANY_REGION }) : { region }),
    forcePathStyle: pathStyle,
    // `object-storage` tries again, also requests with a body.
    maxAttempts: 1,
    requestHandler: { connectionTimeout: CONNECTION_MILLISECONDS, socketTimeout: IDLE_MILLISECONDS },
    logger: silent,
    // The default needs trailers, which few other stores know. Hashes of uploads are sent all the same.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  let hasConditions = true

  return {
    async has(Key) {
      try {
        await client.send(new HeadObjectCommand({ Bucket, Key }))
        return true
      } catch (error) {
        if (statusOf(error) === 404) return false
        throw error
      }
    },
    async get(Key, start) {
      try {
        const range = start === 0 ? {} : { Range: `bytes=${start}-` }
        const reply = await client.send(new GetObjectCommand({ Bucket, Key, ...range }))
        const total = Number(reply.ContentRange?.split('/')[1] ?? reply.ContentLength)
        return { size: total, bytes: reply.Body as unknown as AsyncIterable<Uint8Array> }
      } catch (error) {
        throw (error as Error).name === 'NoSuchKey' ? noSuchObject(Key) : error
      }
    },
    async create(Key, { path, bytes, sha256 }) {
      for (;;) {
        try {
          const put = new PutObjectCommand({
            Bucket,
            Key,
            Body: createReadStream(path),
            ContentLength: bytes,
            ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
            ...(hasConditions ? { IfNoneMatch: '*' } : {}),
          })
          await client.send(put)
          return true
        } catch (error) {
          const status = statusOf(error)
          if (status === 412) return false
          // Two writers at once: the next try sees who won.
          if (status === 409) await sleep(100)
          else if (status === 501 && hasConditions) hasConditions = false
          else throw error
        }
      }
    },
    async delete(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }))
    },
    async *list(Prefix) {
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix }))
        for (const { Key, LastModified } of page.Contents ?? [])
          if (Key !== undefined && LastModified !== undefined) yield { key: Key, modifiedAt: LastModified }
    },
  }
}

/** A logger that writes nothing. Without one, the SDK writes to the console. */
const silent = { debug() {}, info() {}, warn() {}, error() {} }

const statusOf = (error: unknown): number | undefined =>
  (error as S3ServiceException).$metadata?.httpStatusCode
