import type { App } from '../app.ts'
import { forgetAttempts } from '../throttle.ts'

/** What counts the guesses at the password of an account. */
export function guessesAt(userId: number): string {
  return `login:user:${userId}`
}

/** Guesses at a former password say nothing of the new one: its owner need not wait. */
export function forgetGuesses(app: App, userId: number): Promise<void> {
  return forgetAttempts(app, guessesAt(userId))
}
