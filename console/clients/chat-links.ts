// The chat applications a key can be handed to, as the administrator configured them.

import type { StatusDocument } from '../../contract/system.ts'
import { cherryConfig } from './client-links.ts'

export interface ChatLink {
  readonly name: string
  readonly url: string
  /** `frame`: a page that can stand inside ours. `link`: an application of the reader's device. */
  readonly opens: 'frame' | 'link'
}

/** `none`: nothing configured. `unreadable`: not a list. `wrong`: configured, but no address of it can be opened. */
export type ChatProblem = 'none' | 'unreadable' | 'wrong'

type ChatStatus = Pick<StatusDocument, 'chats' | 'chat_link' | 'chat_link2'>

interface ChatTemplate {
  readonly name: string
  readonly template: string
}

/** What a chat page without placeholders is given, as the applications of this kind read it. */
const settingsPart = '/#/?settings={"key":"{key}","url":"{address}"}'

/** In the order of the sidebar, so that the place in the list is the number in `/chat/$id`. */
export function chatTemplates(status: ChatStatus): ChatTemplate[] | 'unreadable' {
  const chats: unknown = status.chats
  if (status.chat_link) return [pageTemplate(status.chat_link), ...secondPage(status)]
  if (!Array.isArray(chats)) return 'unreadable'
  return [...chats.flatMap(presetTemplate), ...secondPage(status)]
}

/** Null when it cannot or must not be opened. */
export function fillChatTemplate(
  { name, template }: ChatTemplate,
  address: string,
  key: string,
): ChatLink | null {
  const bare = key.startsWith('sk-') ? key.slice(3) : key
  const base = address.replace(/\/+$/, '')
  const url = template
    .replaceAll('{key}', `sk-${bare}`)
    .replaceAll('{address}', encodeURIComponent(base))
    .replaceAll('{cherryConfig}', () => cherryConfig(base, `sk-${bare}`))
    .trim()
  if (!URL.canParse(url)) return null
  const { protocol } = new URL(url)
  if (protocol === 'https:' || protocol === 'http:') return { name, url, opens: 'frame' }
  return unsafeSchemes.has(protocol) ? null : { name, url, opens: 'link' }
}

/** Every chat application that can be opened with this key, or why there is none. */
export function chatLinks(status: ChatStatus, address: string, key: string): ChatLink[] | ChatProblem {
  const templates = chatTemplates(status)
  if (templates === 'unreadable') return 'unreadable'
  if (templates.length === 0) return 'none'
  const links = templates.flatMap(template => fillChatTemplate(template, address, key) ?? [])
  return links.length === 0 ? 'wrong' : links
}

/** These run in our page or read the reader's files, whoever wrote them. */
const unsafeSchemes = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'view-source:',
])

function presetTemplate(preset: unknown): ChatTemplate[] {
  if (typeof preset !== 'object' || preset === null) return []
  const [name, template] = Object.entries(preset)[0] ?? []
  if (name === undefined) return []
  return [{ name, template: typeof template === 'string' ? template : '' }]
}

function secondPage({ chat_link2 }: ChatStatus): ChatTemplate[] {
  return chat_link2 ? [pageTemplate(chat_link2)] : []
}

function pageTemplate(address: string): ChatTemplate {
  const template = /\{(key|address)\}/.test(address)
    ? address
    : `${address.replace(/\/+$/, '')}${settingsPart}`
  return { name: URL.canParse(address) ? new URL(address).host : address, template }
}
