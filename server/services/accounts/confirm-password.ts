import type { ErrorCode } from '../../../contract/errors.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../app.ts'
import { forgetAttempts, limitAttempts } from '../throttle.ts'
import { verifyPassword } from './passwords.ts'

const tries = { most: 10, windowSeconds: 15 * 60 }

/** Whoever is logged in shows their password again; one counter for every place that asks for it. */
export async function confirmPassword(
  app: App,
  { id, passwordHash }: { readonly id: number; readonly passwordHash: string },
  given: string,
  wrong: ErrorCode,
): Promise<void> {
  const counter = `password:${id}`
  await limitAttempts(app, counter, tries)
  if (!(await verifyPassword(given, passwordHash))) throw new AppError(wrong)
  await forgetAttempts(app, counter)
}
