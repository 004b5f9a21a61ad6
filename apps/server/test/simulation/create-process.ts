import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { openTables } from '#platform/database/open-tables.ts'
import type { Db } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { noTracing } from '#platform/telemetry/tracing.ts'
import { ValidatorError } from '#platform/validator/validator.ts'
import { MailRefusedError } from '#platform/mail/mailer.ts'
import { knownStorage } from '#platform/storage/known-storage.ts'
import { createObjectStorage } from '#platform/storage/object-storage.ts'
import { systemCode, type Storage } from '#platform/storage/storage.ts'
import type { FileContent } from '#simulation/files.ts'
import { reportsOf, verdictOf } from '#simulation/files.ts'
import { createLocalMachine, createMemoryObjectStore } from '#simulation/memory-object-store.ts'
import { createMemoryStorage, type Disk, type DiskAccess, systemError } from '#simulation/memory-storage.ts'
import type { DatabaseServer } from '#simulation/database-server.ts'
import type { JobServer } from '#simulation/job-server.ts'
import type { MailServer } from '#simulation/mail-server.ts'
import type { Connection, Process, ProcessKind, SimulationContext } from '#simulation/process.ts'

/** The parts of a simulation that its processes use. */
export type Host = SimulationContext &
  Pick<Deps, 'env' | 'metrics'> & {
    readonly database: DatabaseServer
    readonly jobs: JobServer
    readonly mails: MailServer
    readonly disk: Disk
    logOf(owner: Process): Deps['log']
  }

export function createProcess(simulation: Host, kind: ProcessKind, number: number): Process {
  const process: Omit<Process, 'deps'> = {
    kind,
    number,
    name: `${kind} ${number}`,
    holder: number,
    inFlight: new Set(),
    connections: new Set(),
    isAlive: true,
    isStopping: false,
    frozenUntil: 0,
    runningJobs: 0,
  }
  return Object.assign(process, { deps: createDeps(simulation, process as Process) })
}

/** The dependencies of the real services, connected to the servers of the simulation. */
function createDeps(simulation: Host, owner: Process): Deps {
  const db = openDatabase(simulation, owner)
  const uuid = () => simulation.random.uuid()
  const send = (name: string, values: unknown[], executor: Db) =>
    executor.executeQuery(CompiledQuery.raw(`simulation: ${name}`, values))
  const storage = createSimulatedStorage(simulation.disk, {
    uuid,
    now: () => simulation.now,
    step: (name, effect) => simulation.call(owner, `storage ${name}`, effect, { faults: 'storage' }),
  })
  const deps: Pick<
    Deps,
    | 'db'
    | 'storage'
    | 'validator'
    | 'mailer'
    | 'jobs'
    | 'bus'
    | 'leases'
    | 'ids'
    | 'caller'
    | 'env'
    | 'log'
    | 'metrics'
    | 'tracing'
  > = {
    db,
    env: simulation.env,
    log: simulation.logOf(owner),
    metrics: simulation.metrics,
    tracing: noTracing,
    caller: { actor: null, companyId: null, address: null },
    ids: { uuid, secret: uuid },
    leases: {
      next: () => ({
        id: uuid(),
        holder: simulation.database.holders.has(owner.holder) ? owner.holder : null,
      }),
    },
    storage: knownStorage(storage, { identify: async () => 'the id', onChange() {} }),
    validator: { validate: (...args) => validate(simulation, owner, ...args) } as Deps['validator'],
    mailer: { send: (mail) => sendMail(simulation, owner, mail), close: async () => {} },
    jobs: {
      async wake(work, transaction) {
        await send('wake', [work], transaction ?? db)
      },
      onWake: (listener) => simulation.jobs.listen(owner, listener),
    },
    bus: {
      async publish(event, transaction, hasJob) {
        await send('publish', [event, hasJob], transaction ?? db)
      },
      async publishEnd() {},
      subscribe: () => () => {},
    },
  }
  return deps as Deps
}

function createSimulatedStorage(disk: Disk, access: DiskAccess): Storage {
  if (disk.kind === 'folder') return createMemoryStorage(disk, access)
  const received = new Map<string, Buffer>()
  const bytesOf = (path: string) => received.get(path) as Buffer
  const store = createMemoryObjectStore(disk, disk.kind === 'bucket', access, bytesOf)
  return {
    ...createObjectStorage(store, '', createLocalMachine(received, access)),
    // Without a copy on a disk: the simulated validator gets the path and reads the bytes itself.
    useFile: (path, work) => work(path),
    streamFile: (path, work) => work({ path }),
  }
}

/** Kysely as the services use it. */
function openDatabase(simulation: Host, owner: Process): Db {
  const connect = async (): Promise<DatabaseConnection> => {
    const connection = simulation.database.connect(owner)
    return {
      connection,
      async executeQuery(query: CompiledQuery) {
        const { rows, count } = await simulation.database.statement(connection, query)
        return { rows, numAffectedRows: BigInt(count) }
      },
      streamQuery() {
        throw new Error('The simulation has no streams of rows')
      },
    } as unknown as DatabaseConnection
  }
  const connectionOf = (wrapped: DatabaseConnection) =>
    (wrapped as unknown as { connection: Connection }).connection
  return openTables({
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => ({
      init: async () => {},
      destroy: async () => {},
      acquireConnection: connect,
      releaseConnection: async (wrapped) => simulation.database.release(connectionOf(wrapped)),
      beginTransaction: async (wrapped) => simulation.database.begin(connectionOf(wrapped)),
      commitTransaction: (wrapped) => simulation.database.commit(connectionOf(wrapped)),
      rollbackTransaction: async (wrapped) => simulation.database.rollback(connectionOf(wrapped)),
    }),
  })
}

const validate = async (
  simulation: Host,
  owner: Process,
  ...[file, store, , signal]: Parameters<Deps['validator']['validate']>
): Promise<Awaited<ReturnType<Deps['validator']['validate']>>> => {
  const { path } = file as { path: string }
  const read = simulation.call(owner, 'validator reads', () => bytesAt(simulation, path), {
    faults: 'storage',
    source: path,
  })
  const bytes = await read.catch((error: unknown) => {
    // Like the validator's process, which crashes when the disk fails but reports a missing file.
    throw systemCode(error) === 'ENOENT' ? error : new ValidatorError('crashed', 'the disk failed')
  })
  const content = JSON.parse(bytes.toString()) as FileContent
  const options = { delayMilliseconds: content.milliseconds, faults: 'validator' as const, source: path }
  const work = simulation.call(owner, 'validator', () => {}, options)
  await Promise.race([work, rejectOnAbort(signal)])
  if (content.kind === 'crash') throw new ValidatorError('crashed', 'the file crashes it')
  for (const part of reportsOf(content)) await store(part)
  if (signal?.aborted) throw new ValidatorError('aborted', 'aborted')
  return verdictOf(content)
}

const rejectOnAbort = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    const abort = () => reject(new ValidatorError('aborted', 'aborted'))
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })

async function sendMail(
  simulation: Host,
  owner: Process,
  mail: Parameters<Deps['mailer']['send']>[0],
): Promise<void> {
  const reply = await simulation.call(owner, 'mail', () => simulation.mails.receive(owner, mail), {
    faults: 'mail',
    isRemote: true,
  })
  if (reply !== null) throw new MailRefusedError(reply, { isPermanent: reply.startsWith('5') })
}

function bytesAt({ disk }: Host, path: string): Buffer {
  const found = disk.isMounted ? disk.files.get(path) : undefined
  if (found === undefined) throw systemError('ENOENT')
  return found.bytes
}
