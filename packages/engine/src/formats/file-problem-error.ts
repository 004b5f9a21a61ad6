import type { FileProblem } from '@veridict/contract/model/verdict'

/**
 * A fault of the file as a whole, found somewhere deep in reading. `validateTable`, `readTable` and
 * `proposeFields` turn it into a `FileProblem` value, since faulty data is a value to callers; `openTable`,
 * rows and writers throw it.
 */
export class FileProblemError extends Error {
  readonly problem: FileProblem
  constructor(errorType: FileProblem['errorType'], message: string) {
    super(message)
    this.name = 'FileProblemError'
    this.problem = { errorType, message, details: [] }
  }
}
