import { readUser, teamHeader } from './session.ts'
import { currentLanguage } from './text.ts'

/** Calls a model on the account that is logged in, or on the team that it acts for. */
export function askModel(body: object, signal: AbortSignal): Promise<Response> {
  return fetch('/pg/chat/completions', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'New-API-User': String(readUser()?.id ?? -1),
      'Accept-Language': currentLanguage(),
      ...teamHeader(),
    },
    body: JSON.stringify(body),
    signal,
  })
}
