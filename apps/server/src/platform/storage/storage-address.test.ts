import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readStorageAddress, StorageAddressError } from '#platform/storage/storage-address.ts'

describe('The address of a storage', () => {
  const s3 = { kind: 's3', bucket: 'files', prefix: '', endpoint: null, region: null, pathStyle: false }
  it.for([
    ['files', { kind: 'folder', path: resolve('files') }],
    ['/srv/files', { kind: 'folder', path: '/srv/files' }],
    ['file:///srv/my%20files', { kind: 'folder', path: '/srv/my files' }],
    ['s3://files', s3],
    ['s3://files/a/b', { ...s3, prefix: 'a/b/' }],
    ['s3://files/a/?region=eu-central-1', { ...s3, prefix: 'a/', region: 'eu-central-1' }],
    [
      's3://files?endpoint=http://minio:9000&pathStyle=true',
      { ...s3, endpoint: 'http://minio:9000', pathStyle: true },
    ],
    ['azure://files/a', { kind: 'azure', container: 'files', prefix: 'a/', account: null }],
    [
      'azure://files?account=veridict',
      { kind: 'azure', container: 'files', prefix: '', account: 'veridict' },
    ],
  ] as const)('%s', ([text, address]) => expect(readStorageAddress(text)).toEqual(address))

  it.for([
    ['ftp://files', 'the scheme "ftp" is not supported'],
    ['s3://', 'names no bucket'],
    ['s3://user:secret@files', 'must not have credentials'],
    ['s3://files?endpoint=http://user:secret@minio', 'without credentials'],
    ['s3://files?endpoint=minio:9000', 'must be an http'],
    ['s3://files?pathstyle=true', 'unknown option "pathstyle"'],
    ['s3://files?pathStyle=yes', 'must be true or false'],
    ['azure://files?account=evil.example/', 'name of a storage account'],
    ['azure://files?sig=secret', 'unknown option "sig"'],
  ] as const)('refuses %s, without showing secrets', ([text, message]) => {
    const read = () => readStorageAddress(text)
    expect(read).toThrow(StorageAddressError)
    expect(read).toThrow(message)
    expect(read).not.toThrow('secret@')
  })
})
