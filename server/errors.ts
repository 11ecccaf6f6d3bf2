import { type ErrorCode, errors } from '../contract/errors.ts'
import { fill, type Language, type Params } from '../contract/language.ts'

/**
 * The one error that is thrown on purpose. `code` and `params` are for the caller; `cause` is for the log
 * and never leaves the process.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly params: Params
  constructor(code: ErrorCode, params: Params = {}, cause?: unknown) {
    super(fill(errors[code].en, params), { cause })
    this.code = code
    this.params = params
  }
  get status(): number {
    return errors[this.code].status
  }
  text(language: Language): string {
    return fill(errors[this.code][language], this.params)
  }
}
