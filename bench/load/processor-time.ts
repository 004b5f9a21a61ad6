import { readdirSync, readFileSync } from 'node:fs'
import { inMilliseconds } from './figures.ts'

/** Seconds of processor time since the start. */
export type ProcessorTime = { server: number; validators: number; database: number }

/** The kernel counts in hundredths of a second. */
const TICKS = 100

type Process = { pid: number; parent: number; own: number; ofEndedChildren: number }

/** What the portal's main process, its other processes, and PostgreSQL have used, ended ones as well. */
export function readProcessorTime(portal: number, postmaster: number): ProcessorTime {
  const processes = readProcesses()
  const server = processes.find(({ pid }) => pid === portal)?.own ?? 0
  return {
    server,
    validators: usedBelow(portal, processes) - server,
    database: usedBelow(postmaster, processes),
  }
}

/** For each of `count`: `server 1.2 ms, validators 0.3 ms, …`, and how many one core does in a second. */
export function describeUse(before: ProcessorTime, after: ProcessorTime, count: number): string {
  // An ended process can be missing for a moment.
  const each = (name: keyof ProcessorTime) => (Math.max(0, after[name] - before[name]) * 1000) / count
  const [server, validators, database] = [each('server'), each('validators'), each('database')]
  const perCore = 1000 / (server + validators + database)
  return (
    `server ${inMilliseconds(server)}, validators ${inMilliseconds(validators)}, ` +
    `PostgreSQL ${inMilliseconds(database)}: ${perCore.toFixed(perCore < 10 ? 1 : 0)}/s on one core`
  )
}

function usedBelow(pid: number, processes: readonly Process[]): number {
  const found = processes.find((process) => process.pid === pid)
  const own = found === undefined ? 0 : found.own + found.ofEndedChildren
  const children = processes.filter(({ parent }) => parent === pid)
  return children.reduce((sum, child) => sum + usedBelow(child.pid, processes), own)
}

function readProcesses(): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The name before may contain spaces; the fields after it begin with the state (proc(5)).
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const [parent, user, system, usersOfEnded, systemOfEnded] = [1, 11, 12, 13, 14].map((index) =>
        Number(fields[index]),
      )
      return {
        pid: Number(pid),
        parent,
        own: (user + system) / TICKS,
        ofEndedChildren: (usersOfEnded + systemOfEnded) / TICKS,
      }
    } catch {
      return [] // It has ended meanwhile.
    }
  })
}
