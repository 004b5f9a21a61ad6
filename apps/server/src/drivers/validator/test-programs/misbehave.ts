import { ErrorType } from '@veridict/contract/model/error-type'

/** A validator process that does what the file name says, for tests of the wall around it. */
process.on('disconnect', () => process.exit())
process.on('message', ({ file }: { file: { fileName: string } }) => {
  const answer = (body: object) => process.send?.({ residentBytes: process.memoryUsage.rss(), ...body })
  switch (file.fileName) {
    case 'exit.csv':
      return process.exit(3)
    case 'kill.csv':
      return process.kill(process.pid, 'SIGKILL')
    case 'throw.csv':
      return answer({ failed: 'a bug' })
    case 'loop.csv':
      for (;;) Math.random()
    case 'hang.csv':
      return
    case 'faulty.csv':
      return answer({ verdict: { kind: 'fileProblem', problem: { errorType: ErrorType.NoRows, message: 'The file has no data rows.' } } })
    case 'slow.csv':
      return void setTimeout(() => answer({ verdict: { kind: 'passed', recordsCount: process.pid } }), 3_000)
    case 'memory.csv': {
      const held: number[][] = []
      for (;;) held.push(Array.from({ length: 100_000 }, () => Math.random()))
    }
    default:
      return answer({ verdict: { kind: 'passed', recordsCount: process.pid } })
  }
})
