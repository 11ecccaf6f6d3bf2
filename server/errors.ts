import { type ErrorCode, errors } from '../contract/errors.ts'
import { fill, type Language, type Params } from '../contract/language.ts'

/** A parameter may be an error itself, which is told in the same language. */
type ErrorParams = Readonly<Record<string, string | number | AppError>>

/**
 * The one error that is thrown on purpose. `code` and `params` are for the caller; `cause` is for the log
 * and never leaves the process.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly params: ErrorParams
  constructor(code: ErrorCode, params: ErrorParams = {}, cause?: unknown) {
    super(fill(errors[code].en, inLanguage(params, 'en')), { cause })
    this.code = code
    this.params = params
  }
  get status(): number {
    return errors[this.code].status
  }
  text(language: Language): string {
    return fill(errors[this.code][language], inLanguage(this.params, language))
  }
}

function inLanguage(params: ErrorParams, language: Language): Params {
  const words: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(params))
    words[name] = value instanceof AppError ? value.text(language) : value
  return words
}
