/** Something the operator can mend, told in one sentence. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
  readonly exitCode: number
  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}
