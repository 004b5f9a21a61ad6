import { once } from 'node:events'
import { ErrorType } from '@veridict/contract/model/error-type'
import type { PackedReports } from '#db/pack-reports.ts'

/** A validator process that does what the file name says. */
process.on('disconnect', () => process.exit())
process.on('message', async ({ file }: { file?: { fileName: string } }) => {
  const reply = (body: object) => process.send?.({ residentBytes: process.memoryUsage.rss(), ...body })
  switch (file?.fileName) {
    case undefined:
      return
    case 'exit.csv':
      return process.exit(3)
    case 'kill.csv':
      return process.kill(process.pid, 'SIGKILL')
    case 'throw.csv':
      return reply({ failed: 'a bug' })
    case 'loop.csv':
      for (;;) Math.random()
    case 'hang.csv':
      return
    case 'faulty.csv':
      return reply({
        verdict: {
          kind: 'fileProblem',
          problem: { errorType: ErrorType.NoRows, message: 'The file has no data rows.', details: [] },
        },
      })
    case 'reports.csv':
      for (const number of [0, 1, 2]) await sendReports(number)
      return reply({
        verdict: {
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
      return void setTimeout(() => reply({ verdict: { kind: 'passed', recordsCount: process.pid } }), 3_000)
    case 'memory.csv': {
      const held: number[][] = []
      for (;;) held.push(Array.from({ length: 100_000 }, () => Math.random()))
    }
    default:
      return reply({ verdict: { kind: 'passed', recordsCount: process.pid } })
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
  }
  process.send?.({ reports })
  await once(process, 'message')
}
