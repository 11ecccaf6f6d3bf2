import { type ThirdPartyAnswer, thirdPartyEndpoints } from '../../../contract/sign-in.ts'
import { call } from '../../api.ts'
import { readTelegramAnswer, takeTelegramDeparture } from '../../sign-in/telegram.ts'

const providers = ['github', 'discord', 'linuxdo', 'oidc', 'telegram'] as const
export type CallbackProvider = (typeof providers)[number]

export function isCallbackProvider(value: string): value is CallbackProvider {
  return providers.some(provider => provider === value)
}

const finished = new Map<string, Promise<ThirdPartyAnswer>>()

/** What came back counts once, however often the screen is drawn. */
export function finishSignIn(
  provider: CallbackProvider,
  query: URLSearchParams,
  fragment: string,
): Promise<ThirdPartyAnswer> {
  const key = `${provider} ${query} ${fragment}`
  const known = finished.get(key) ?? finish(provider, query, fragment)
  finished.set(key, known)
  return known
}

async function finish(
  provider: CallbackProvider,
  query: URLSearchParams,
  fragment: string,
): Promise<ThirdPartyAnswer> {
  if (provider === 'telegram') return finishTelegram(query, fragment)
  // Whoever said no there, or opened the page by hand, has nothing to show.
  if (!query.get('code')) throw new Error('no code')
  const endpoints = {
    github: thirdPartyEndpoints.githubSignIn,
    discord: thirdPartyEndpoints.discordSignIn,
    linuxdo: thirdPartyEndpoints.linuxdoSignIn,
    oidc: thirdPartyEndpoints.oidcSignIn,
  }
  return call(endpoints[provider], {
    query: { code: query.get('code') ?? '', state: query.get('state') ?? '' },
  })
}

async function finishTelegram(query: URLSearchParams, fragment: string): Promise<ThirdPartyAnswer> {
  const purpose = takeTelegramDeparture(query.get('state') ?? '')
  const answer = readTelegramAnswer(fragment)
  if (!purpose || !answer) throw new Error('Telegram')
  if (purpose === 'login')
    return {
      success: true,
      message: '',
      data: await call(thirdPartyEndpoints.telegramSignIn, { query: answer }),
    }
  await call(thirdPartyEndpoints.telegramBind, { query: answer })
  return { success: true, message: 'bind', data: null }
}
