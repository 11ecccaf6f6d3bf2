import type { Language } from '../../../contract/language.ts'
import { AppError } from '../../errors.ts'

/** The calls that price and order have said `error` in this way since before there was an envelope. */
export async function orRefusal<T>(
  language: Language,
  work: () => Promise<T>,
): Promise<T | { message: 'error'; data: string }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && /^(payment|price)\./.test(error.code))
      return { message: 'error', data: error.text(language) }
    throw error
  }
}
