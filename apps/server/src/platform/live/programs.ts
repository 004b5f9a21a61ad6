import { hostname } from 'node:os'
import type { Db } from '#platform/database/tables.ts'
import { version } from '#version.ts'
import { rowsOf } from '#platform/database/rows.ts'

/** Names its connection, in 63 bytes. `migrate --finish` reads the version from the first digit on. */
export function programName(role: string, host = hostname()): string {
  const [start, end] = [`veridict news ${version} ${role} `, `:${process.pid}`]
  const room = 63 - start.length - end.length
  // The start of a domain and the end of a pod's name are what tells machines apart.
  const short = host.length > room ? `${host.slice(0, room - 14)}..${host.slice(-12)}` : host
  return start + short + end
}

/** A program that runs on some machine. `isSilent`: it is frozen, or its machine is cut off. */
export type Program = {
  id: string
  role: string
  version: string
  isWorker: boolean
  isSilent: boolean
  seenAt: Date
}

/** A program asks the database every ten seconds. One that did not for so long has lost its leases, too. */
const SILENT_SECONDS = 24

/** The programs that run, on all machines, by role and id. */
export async function findPrograms(db: Db): Promise<Program[]> {
  const rows = await rowsOf<Pick<Program, 'isWorker' | 'isSilent' | 'seenAt'> & Named>(db)`
    select holder, name, is_worker, coalesce(seen_at, now()) as seen_at,
      seen_at < now() - make_interval(secs => ${SILENT_SECONDS}) as is_silent
    from running_programs()`
  return rows
    .map(({ holder, name, isWorker, isSilent, seenAt }) => {
      const [, version = '', role, id] = /^veridict news (\S+)(?: (\S+) (.+))?/.exec(name) ?? []
      const known = { id: id ?? String(holder), role: role ?? (isWorker ? 'worker' : 'web') }
      return { ...known, version, isWorker, isSilent, seenAt }
    })
    .toSorted((one, other) => `${one.role} ${one.id}`.localeCompare(`${other.role} ${other.id}`))
}
type Named = { holder: number; name: string }

/** The number of running programs, on all machines, that take jobs. */
export const countWorkers = async (db: Db): Promise<number> =>
  (await findPrograms(db)).filter(({ isWorker, isSilent }) => isWorker && !isSilent).length
