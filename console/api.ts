import { ApiError, createClient, type FailureKind } from './api-client.ts'
import { shellText } from './locales/catalogue.ts'
import { readUser } from './session.ts'
import { currentLanguage, translate } from './text.ts'

export { ApiError }

const t = translate(shellText)
let loggedOut = () => {}

/** What happens when the server says that nobody is logged in. Set once, by the router. */
export function whenLoggedOut(action: () => void): void {
  loggedOut = action
}

export const call = createClient({
  origin: '',
  userId: () => readUser()?.id ?? -1,
  language: currentLanguage,
  explain,
  onLoggedOut: () => loggedOut(),
})

/** The server's own words where it has some; they are in the reader's language. */
function explain(kind: Exclude<FailureKind, 'refused'>, detail: string): string {
  if (kind === 'logged-out') return t('error.loggedOut')
  if (kind === 'too-many') return detail || t('error.tooMany')
  if (kind === 'internal') return detail || t('error.internal')
  if (kind === 'demo-only') return t('error.demoOnly')
  if (kind === 'unreachable') return t('error.unreachable')
  return t('error.other', { message: detail || t('error.requestFailed') })
}

export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  return t('error.other', { message: error instanceof Error ? error.message : String(error) })
}
