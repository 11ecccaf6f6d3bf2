// Telegram's login without its widget: their page is opened by address and comes back with a signed answer in
// the fragment, so that no script of theirs runs on ours.

import { newId } from '../new-id.ts'

const key = 'telegram-departure'

export type TelegramPurpose = 'login' | 'bind'

/** Leaves for Telegram. What is kept in this tab tells whether the answer belongs to a question of ours. */
export function leaveForTelegram(botId: string, purpose: TelegramPurpose): void {
  const state = newId()
  sessionStorage.setItem(key, JSON.stringify({ state, purpose }))
  location.assign(telegramAddress(botId, location.origin, state))
}

export function telegramAddress(botId: string, origin: string, state: string): string {
  const back = `${origin}/oauth/telegram?${new URLSearchParams({ state })}`
  return `https://oauth.telegram.org/auth?${new URLSearchParams({ bot_id: botId, origin, return_to: back })}`
}

/** Why we left, if we did and the answer is to that; a departure counts once. */
export function takeTelegramDeparture(state: string): TelegramPurpose | undefined {
  const text = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  try {
    const departure: unknown = JSON.parse(text ?? 'null')
    if (typeof departure !== 'object' || departure === null) return undefined
    if (!('state' in departure) || departure.state !== state || state === '') return undefined
    return 'purpose' in departure && departure.purpose === 'bind' ? 'bind' : 'login'
  } catch {
    return undefined
  }
}

/** The signed fields, as text: that is how their signature counts them. */
export function readTelegramAnswer(fragment: string): Record<string, string> | undefined {
  const encoded = /(?:^#|&)tgAuthResult=([\w\-+/=]{1,8000})/.exec(fragment)?.[1]
  if (!encoded) return undefined
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), character =>
      character.charCodeAt(0),
    )
    const answer: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined
    return Object.fromEntries(
      Object.entries(answer)
        .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
        .map(([name, value]) => [name, String(value)]),
    )
  } catch {
    return undefined
  }
}
