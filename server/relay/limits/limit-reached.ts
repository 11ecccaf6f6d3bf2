import type { ErrorCode } from '../../../contract/errors.ts'
import type { Params } from '../../../contract/language.ts'
import { AppError } from '../../errors.ts'
import type { Figures } from '../../store/counters/counters.ts'

/** A caller is at a limit, whose figures the answer's headers tell. */
export class LimitReached extends AppError {
  readonly figures: Figures

  constructor(code: ErrorCode, params: Params, figures: Figures) {
    super(code, params)
    this.figures = figures
  }
}
