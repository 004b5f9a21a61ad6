import type { FileProblem } from '@veridict/contract/model/verdict'

/**
 * A problem of the file as a whole, thrown from anywhere in reading. `validateTable`, `readTable` and
 * `proposeFields` catch it and return its `FileProblem`; `openTable`, rows and writers throw it.
 */
export class FileProblemError extends Error {
  readonly problem: FileProblem
  constructor(errorType: FileProblem['errorType'], message: string) {
    super(message)
    this.name = 'FileProblemError'
    this.problem = { errorType, message, details: [] }
  }
}
