import type { FileProblem } from '@veridict/contract/model/verdict'

/** A problem of the whole file. `validateTable`, `readTable` and `proposeFields` catch it and return it. */
export class FileProblemError extends Error {
  readonly problem: FileProblem
  constructor(errorType: FileProblem['errorType'], message: string) {
    super(message)
    this.name = 'FileProblemError'
    this.problem = { errorType, message, details: [] }
  }
}
