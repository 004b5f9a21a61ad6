import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BlobServiceClient } from '@azure/storage-blob'
import { freePort } from '#platform/database/embedded/postmaster.ts'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'

/** Object stores for tests, each on this machine and empty. */
export type TestStore = {
  /** host:port, for a proxy in front. */
  address: string
  /** The settings of a storage in the store, through `address` or a proxy. */
  settings(address: string): { storageUrl: string; azureConnectionString: string | null }
  close(): Promise<void>
}
type TestStoreKind = { name: string; hasConditions: boolean; start(): Promise<TestStore> }

const BUCKET = 'portal-files'
const LIST_FAILURES = 20

/** The kinds that can run here. Reports a missing one, because its tests then do not run. */
export function objectStores(): TestStoreKind[] {
  const moto = findOnPath('moto_server')
  if (moto === null)
    console.warn('moto_server is not on the PATH: the tests of S3 with conditional writes do not run')
  return [
    { name: 'S3 (s3rver)', hasConditions: false, start: startS3rver },
    { name: 'Azure Blob (Azurite)', hasConditions: true, start: startAzurite },
    ...(moto === null ? [] : [{ name: 'S3 (moto)', hasConditions: true, start: () => startMoto(moto) }]),
  ]
}

function findOnPath(program: string): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path)) ?? null
}

/** s3rver ignores If-None-Match, so it stands for stores without conditional writes. */
async function startS3rver(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'veridict-s3rver-'))
  // It has no types.
  const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => {
    run(): Promise<AddressInfo>
    close(): Promise<void>
    httpServer: Server
    store: {
      getResourcePath(bucket: string, key: string, resource: string): string
      putContent(path: string, content: unknown): Promise<unknown>
      putMetadata(bucket: string, key: string, metadata: object, md5?: string): Promise<void>
      listObjects(bucket: string, options: object): Promise<unknown>
    }
  }
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  // It writes where readers look, also half of a request that breaks off. S3 stores an object whole or not.
  const putContent = server.store.putContent.bind(server.store)
  server.store.putContent = async (path, content) => {
    const part = `${path}.${randomUUID()}.part`
    try {
      const stored = await putContent(part, content)
      await rename(part, path)
      return stored
    } finally {
      await rm(part, { force: true })
    }
  }
  // Likewise what belongs to it: two writes of different lengths at once leave what can never be listed.
  const putMetadata = server.store.putMetadata.bind(server.store)
  server.store.putMetadata = async (bucket, key, metadata, md5) => {
    const part = `${key}.${randomUUID()}.part`
    await putMetadata(bucket, part, metadata, md5)
    for (const resource of md5 === undefined ? ['metadata.json'] : ['object.md5', 'metadata.json']) {
      const [from, to] = [part, key].map((name) => server.store.getResourcePath(bucket, name, resource))
      await rename(from!, to!)
    }
  }
  // It fails where an object comes or goes meanwhile, which under load happens several times in a row.
  // It also fails above 1,000 objects, because it encrypts the token of the next page with DES, which
  // Node no longer has: so all are on one page. s3-store.test.ts reads pages.
  const listObjects = server.store.listObjects.bind(server.store)
  server.store.listObjects = async (bucket, requested) => {
    const options = { ...requested, maxKeys: Infinity }
    for (let failures = 0; failures < LIST_FAILURES; failures++) {
      try {
        return await listObjects(bucket, options)
      } catch {
        await sleep(20)
      }
    }
    return listObjects(bucket, options).catch((error: unknown) => {
      // Its response says no more than that it failed.
      console.error('s3rver cannot list its objects', error)
      throw error
    })
  }
  const { port } = await server.run()
  return s3At(`127.0.0.1:${port}`, async () => {
    // It waits for connections that broke off.
    server.httpServer.closeAllConnections()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })
}

async function startMoto(program: string): Promise<TestStore> {
  const port = await freePort()
  const child = spawn(program, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  const address = `127.0.0.1:${port}`
  await untilUp(address, child)
  const client = new S3Client({ endpoint: `http://${address}`, forcePathStyle: true, region: 'us-east-1' })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  client.destroy()
  return s3At(address, () => end(child))
}

/** Sets the variables that the SDK reads credentials from. */
function s3At(address: string, close: () => Promise<void>): TestStore {
  process.env.AWS_ACCESS_KEY_ID ??= 'S3RVER'
  process.env.AWS_SECRET_ACCESS_KEY ??= 'S3RVER'
  return {
    address,
    settings: (at) => ({
      storageUrl: `s3://${BUCKET}/some/prefix?endpoint=http://${at}&pathStyle=true`,
      azureConnectionString: null,
    }),
    close,
  }
}

/** The account that Azurite documents for development. */
const ACCOUNT = 'devstoreaccount1'
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='
const connectionString = (address: string) =>
  `DefaultEndpointsProtocol=http;AccountName=${ACCOUNT};AccountKey=${KEY};` +
  `BlobEndpoint=http://${address}/${ACCOUNT};`

async function startAzurite(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'veridict-azurite-'))
  const port = await freePort()
  const program = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js')
  const options = ['--blobPort', String(port), '--silent', '--skipApiVersionCheck', '--disableTelemetry']
  const child = spawn(process.execPath, [program, ...options, '--location', folder], { stdio: 'ignore' })
  const address = `127.0.0.1:${port}`
  await untilUp(address, child)
  await BlobServiceClient.fromConnectionString(connectionString(address)).createContainer(BUCKET)
  return {
    address,
    settings: (at) => ({
      storageUrl: `azure://${BUCKET}/some/prefix`,
      azureConnectionString: connectionString(at),
    }),
    async close() {
      await end(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilUp(address: string, child: ChildProcess): Promise<void> {
  while (
    !(await fetch(`http://${address}/`).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`The object store ended with code ${child.exitCode}`)
    await sleep(50)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
