import type { App } from '../services/app.ts'
import { remindLowQuota } from '../services/notices/quota-notices.ts'
import { keepTurns } from './keep-turns.ts'

/** Looks for users whose quota has run low. Who is being told is noted as told, so that is waited for. */
export function startReminding(app: App): () => Promise<void> {
  return keepTurns(app, { name: 'remind-quota', isAtOnce: false, work: remindLowQuota })
}
