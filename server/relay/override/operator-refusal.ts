import type { Problem } from '../../dialects/spec.ts'

/** The operator of a channel does not want a request: that is the last word on it, and nobody's failure. */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}
