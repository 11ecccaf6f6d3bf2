import type { ErrorCode } from '../../contract/errors.ts'
import { AppError } from '../errors.ts'
import { UniqueViolation } from '../store/store-error.ts'

/** What cannot be written because another row has the like already is refused in these words. */
export async function refuseClash<Done>(
  work: Promise<Done>,
  code: ErrorCode,
  params: AppError['params'] = {},
): Promise<Done> {
  try {
    return await work
  } catch (error) {
    if (error instanceof UniqueViolation) throw new AppError(code, params, error)
    throw error
  }
}
