import type { Problem } from '../dialects/spec.ts'

/** The vendor gives no proof for this key. The problem is judged as if the model call itself had met it. */
export class ProofRefused extends Error {
  override readonly name = 'ProofRefused'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}
