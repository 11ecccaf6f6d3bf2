import { AppError } from '../../errors.ts'

/** The upstream may have it. Who is told that this failed must not begin another: it is found when the books are back. */
export async function elseUnheard<Known>(begun: Promise<Known>): Promise<Known> {
  try {
    return await begun
  } catch (error) {
    throw new AppError('batch.unheard', {}, error)
  }
}
