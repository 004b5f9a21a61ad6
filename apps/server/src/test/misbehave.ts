import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ErrorType } from '@veridict/contract/model/verdict'
import type { PackedReports } from '#platform/database/pack-reports.ts'

/** A validator process that does what the file name says. */
process.on('disconnect', () => process.exit())
type Named = { fileName?: string }
process.on('message', async ({ request }: { request?: Named & { file?: Named } }) => {
  const reply = (body: object) => process.send?.({ residentBytes: process.memoryUsage.rss(), ...body })
  switch (request?.file?.fileName ?? request?.fileName) {
    case undefined:
      return
    case 'exit.csv':
      return process.exit(3)
    case 'kill.csv':
      return process.kill(process.pid, 'SIGKILL')
    case 'throw.csv':
      return reply({ failed: 'a bug' })
    case 'loop.csv':
      // As deaf as in a loop without end, which would take a processor.
      return void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    case 'hang.csv':
      return
    case 'escape.csv':
      return reply({ failed: (await attempts()).join('\n') })
    case 'faulty.csv':
      return reply({
        result: {
          kind: 'fileProblem',
          problem: { errorType: ErrorType.NoRows, message: 'The file has no data rows.', details: [] },
        },
      })
    case 'reports.csv':
      for (const number of [0, 1, 2]) await sendReports(number)
      return reply({
        result: {
          kind: 'rowErrors',
          recordsCount: 3,
          errorRowCount: 3,
          cellErrorCount: 3,
          groups: [],
          causeCounts: [],
          causesCount: 0,
        },
      })
    case 'reports-then-kill.csv':
      await sendReports(0)
      return process.kill(process.pid, 'SIGKILL')
    case 'slow.csv':
      return void setTimeout(() => reply({ result: { kind: 'passed', recordsCount: process.pid } }), 3_000)
    case 'memory.csv': {
      const held: number[][] = []
      for (;;) held.push(Array.from({ length: 100_000 }, () => Math.random()))
    }
    default:
      return reply({ result: { kind: 'passed', recordsCount: process.pid } })
  }
})

/** Reports of one row with one error; settles when they are stored. */
async function sendReports(number: number): Promise<void> {
  const fault = { columnPosition: 'A', label: 'Name', error: `wrong ${number}`, expected: 'right' }
  const rows = [{ rowNumber: number + 2, key: '[]', totalCount: 1, errors: JSON.stringify([[number, 'x']]) }]
  const reports: PackedReports = {
    isFirst: number === 0,
    firstFaultNumber: number,
    faults: JSON.stringify([fault]),
    rows,
    causes: [],
    warnings: [],
  }
  process.send?.({ reports })
  await once(process, 'message')
}

/** Tries what a validator process has no business with, and says how each try ended. */
async function attempts(): Promise<string[]> {
  const outside = join(tmpdir(), 'veridict-escape')
  const tries: Record<string, () => unknown> = {
    'read the environment of the portal': () => readFileSync(`/proc/${process.ppid}/environ`),
    'read a file': () => readFileSync('/etc/hostname'),
    'list a folder': () => readdirSync('/'),
    'write a file': () => writeFileSync(outside, ''),
    'link a file': () => symlinkSync('/etc/hostname', outside),
    'run a program': () => execFileSync(process.execPath, ['--version']),
    'start a thread': () => new Worker('', { eval: true, execArgv: [] }),
    connect: () => once(connect(1, '127.0.0.1'), 'connect'),
  }
  const ends = Object.entries(tries).map(async ([name, attempt]) => {
    const end = await Promise.resolve(attempt)
      .then((run) => run())
      .then(
        () => 'done',
        ({ code }) => code,
      )
    return `${name}: ${end}`
  })
  return [...(await Promise.all(ends)), `environment: ${Object.keys(process.env).sort().join(' ')}`]
}
