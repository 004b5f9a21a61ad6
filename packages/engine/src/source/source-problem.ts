import type { FileProblem } from '@veridict/contract/model/verdict'

/**
 * A fault of the file as a whole, found somewhere deep in reading. Thrown inside the engine only: `openTable` and
 * `validateTable` turn it into a `FileProblem` value, since faulty data is a value to callers.
 */
export class SourceProblem extends Error {
  readonly problem: FileProblem
  constructor(errorType: FileProblem['errorType'], message: string) {
    super(message)
    this.name = 'SourceProblem'
    this.problem = { errorType, message }
  }
}
