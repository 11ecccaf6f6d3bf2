import type { App } from '../services/app.ts'
import { renewKeys } from '../services/channels/renew-keys.ts'
import { keepTurns } from './keep-turns.ts'

/**
 * Renews keys that end soon. The one that is being exchanged is waited for: its vendor may have taken the old one back
 * already, and gives the new one once.
 */
export function startRenewingKeys(app: App): () => Promise<void> {
  return keepTurns(app, { name: 'renew-keys', isAtOnce: true, work: renewKeys })
}
