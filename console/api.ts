import { systemEndpoints } from '../contract/system.ts'
import { actFor } from './acting.ts'
import { ApiError, createClient, type FailureKind } from './api-client.ts'
import { shellText } from './locales/catalogue.ts'
import { readTeam, readUser } from './session.ts'
import { askForProof } from './sign-in/proof.ts'
import { currentLanguage, translate } from './text.ts'

export { ApiError }

const t = translate(shellText)
let loggedOut = () => {}

/** What happens when the server says that nobody is logged in. Set once, by the router. */
export function whenLoggedOut(action: () => void): void {
  loggedOut = action
}

let left: Promise<void> | undefined

/** Until the answer is called nothing more is read for who is logged in: it would hear that the login has expired. */
export function holdReads(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  left = promise
  return () => {
    left = undefined
    resolve()
  }
}

export const call = createClient({
  origin: '',
  userId: () => readUser()?.id ?? -1,
  teamId: () => readTeam()?.id,
  language: currentLanguage,
  explain,
  onLoggedOut: () => loggedOut(),
  onOutOfTeam: () => actFor(null),
  patience: 60_000,
  begun: takeBegun,
  left: () => left,
  prove: askForProof,
})

declare global {
  /** What boot.js asks for on a first visit. */
  var firstStatus: Promise<Response> | undefined
}

function takeBegun(address: string): Promise<Response> | undefined {
  if (address !== systemEndpoints.status.path) return undefined
  const begun = globalThis.firstStatus
  globalThis.firstStatus = undefined
  return begun
}

/** The server's own words where it has some; they are in the reader's language. */
function explain(kind: Exclude<FailureKind, 'refused'>, detail: string): string {
  if (kind === 'logged-out') return t('error.loggedOut')
  if (kind === 'too-many') return detail || t('error.tooMany')
  if (kind === 'internal') return detail || t('error.internal')
  if (kind === 'demo-only') return t('error.demoOnly')
  if (kind === 'unreachable') return t('error.unreachable')
  return t('error.other', { message: detail || t('error.requestFailed') })
}

/** What is gone; clients know it by these words, so the server says them in every language. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.message === 'record not found'
}

/** Part of the page that could not be loaded, as the browsers and the loader say it. */
function isUnloaded(error: unknown): boolean {
  return error instanceof Error && /import(ed|ing a) module|preload CSS/i.test(error.message)
}

export function messageOf(error: unknown): string {
  if (isMissing(error)) return t('error.missing')
  if (error instanceof ApiError) return error.message
  if (isUnloaded(error)) return t('error.unreachable')
  return t('error.other', { message: error instanceof Error ? error.message : String(error) })
}
