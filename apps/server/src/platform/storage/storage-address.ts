import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What STORAGE_URL names. A prefix is '' or ends with a slash. */
export type StorageAddress =
  | { kind: 'folder'; path: string }
  | {
      kind: 's3'
      bucket: string
      prefix: string
      endpoint: string | null
      region: string | null
      pathStyle: boolean
    }
  | { kind: 'azure'; container: string; prefix: string; account: string | null }

/** A sentence about an address that cannot be used. It never repeats the address. */
export class StorageAddressError extends Error {
  override name = 'StorageAddressError'
}

/**
 * A folder or file:///…, `s3://bucket/prefix?endpoint=…&region=…&pathStyle=true` or
 * `azure://container/prefix?account=…`. Throws `StorageAddressError`. Without credentials: addresses get into
 * logs.
 */
export function readStorageAddress(text: string): StorageAddress {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return { kind: 'folder', path: resolve(text) }
  if (!URL.canParse(text)) throw new StorageAddressError('is no folder and no address')
  const url = new URL(text)
  if (scheme === 'file') return { kind: 'folder', path: fileURLToPath(url) }
  if (url.username !== '' || url.password !== '')
    throw new StorageAddressError('must not have credentials; set them as variables of their own')
  if (scheme === 's3') return readS3(url)
  if (scheme === 'azure') return readAzure(url)
  throw new StorageAddressError(
    `the scheme "${scheme}" is not supported; set a folder or a file://, s3:// or azure:// address`,
  )
}

function readS3(url: URL): StorageAddress {
  refuseOtherOptions(url, ['endpoint', 'region', 'pathStyle'])
  const endpoint = url.searchParams.get('endpoint')
  if (endpoint !== null && !isPlainHttp(endpoint))
    throw new StorageAddressError('its endpoint must be an http:// or https:// address without credentials')
  const pathStyle = url.searchParams.get('pathStyle') ?? 'false'
  if (pathStyle !== 'true' && pathStyle !== 'false')
    throw new StorageAddressError('its pathStyle must be true or false')
  return {
    kind: 's3',
    bucket: hostOf(url, 'bucket'),
    prefix: prefixOf(url),
    endpoint,
    region: url.searchParams.get('region'),
    pathStyle: pathStyle === 'true',
  }
}

function readAzure(url: URL): StorageAddress {
  refuseOtherOptions(url, ['account'])
  const account = url.searchParams.get('account')
  if (account !== null && !/^[a-z0-9]{3,24}$/.test(account))
    throw new StorageAddressError('its account must be the name of a storage account')
  return { kind: 'azure', container: hostOf(url, 'container'), prefix: prefixOf(url), account }
}

function refuseOtherOptions({ searchParams }: URL, known: readonly string[]): void {
  const other = [...searchParams.keys()].find((name) => !known.includes(name))
  if (other !== undefined)
    throw new StorageAddressError(`has the unknown option "${other}"; known are ${known.join(', ')}`)
}

function hostOf({ host }: URL, what: string): string {
  if (host === '') throw new StorageAddressError(`names no ${what}`)
  return host
}

const prefixOf = ({ pathname }: URL): string => {
  const segments = pathname.split('/').filter((segment) => segment !== '')
  return segments.map((segment) => `${decodeURIComponent(segment)}/`).join('')
}

function isPlainHttp(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && username === '' && password === ''
}
