import type { SettingValues } from '../../contract/settings/index.ts'

/** What may be the address of a page instead of a text. */
const written = ['HomePageContent', 'About', 'UserAgreement', 'PrivacyPolicy', 'Notice', 'Footer'] as const

type Framed = Pick<
  SettingValues,
  'Chats' | 'ChatLink' | 'ChatLink2' | 'ServerAddress' | (typeof written)[number]
>

/** Whose pages the console may frame: those that an administrator named, and nobody else's. */
export function frameSources(settings: Framed): string[] {
  const { Chats, ChatLink, ChatLink2 } = settings
  const links = [ChatLink, ChatLink2, ...(ChatLink ? [] : Chats.flatMap(chat => Object.values(chat)))]
  const pages = written.map(key => settings[key]).filter(text => /^https?:\/\/\S+$/.test(text.trim()))
  const origins = [...links, ...pages].flatMap(link => originOf(link, settings.ServerAddress) ?? [])
  return [...new Set(origins)].sort()
}

/** Whom the console may ask how far away they are: the addresses that the dashboard tells. */
export function askedSources({
  ApiInfoEnabled,
  ApiInfo,
}: Pick<SettingValues, 'ApiInfoEnabled' | 'ApiInfo'>): string[] {
  const origins = ApiInfoEnabled ? ApiInfo.flatMap(({ url }) => originOf(url, '') ?? []) : []
  return [...new Set(origins)].sort()
}

/** Where a payment is begun by a form, if that place has no TLS; with it anybody may take one. */
export function plainForms({ PayAddress }: Pick<SettingValues, 'PayAddress'>): string[] {
  const origin = originOf(PayAddress, '')
  return origin?.startsWith('http:') ? [origin] : []
}

function originOf(link: string, address: string): string | undefined {
  const filled = link.trim().replace(/^\{address\}/, address)
  const url = URL.canParse(filled) ? new URL(filled) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined
  // What stands in a header must not be able to end it, or to begin another rule.
  return /[\s;,'"*]/.test(url.origin) ? undefined : url.origin
}
