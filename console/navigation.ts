// The sidebar: every item there is, in order. What someone sees of it depends on their role, on what the
// server has switched on, and on which screens this build has.

import type { StatusDocument } from '../contract/system.ts'
import { roles } from '../contract/users.ts'

type Flag = 'enable_data_export' | 'enable_drawing' | 'enable_task' | 'enable_mcp'

interface Item {
  readonly id: string
  readonly path: string
  readonly role: number
  readonly flag?: Flag
  /** `g` then this letter goes there. */
  readonly letter: string
}

export const items = [
  { id: 'playground', path: '/playground', role: roles.user, letter: 'p' },
  { id: 'channel', path: '/channel', role: roles.admin, letter: 'c' },
  { id: 'chat', path: '/chat/$id', role: roles.user, letter: 'm' },
  { id: 'token', path: '/token', role: roles.user, letter: 't' },
  { id: 'prompt', path: '/prompt', role: roles.user, letter: 'b' },
  { id: 'detail', path: '/detail', role: roles.user, flag: 'enable_data_export', letter: 'd' },
  { id: 'redemption', path: '/redemption', role: roles.admin, letter: 'r' },
  { id: 'topup', path: '/topup', role: roles.user, letter: 'w' },
  { id: 'user', path: '/user', role: roles.admin, letter: 'u' },
  { id: 'log', path: '/log', role: roles.user, letter: 'l' },
  { id: 'midjourney', path: '/midjourney', role: roles.user, flag: 'enable_drawing', letter: 'i' },
  { id: 'task', path: '/task', role: roles.user, flag: 'enable_task', letter: 'k' },
  { id: 'tools', path: '/tools', role: roles.user, flag: 'enable_mcp', letter: 'o' },
  { id: 'mcpServer', path: '/mcp-server', role: roles.admin, letter: 'e' },
  { id: 'setting', path: '/setting', role: roles.user, letter: 's' },
] as const satisfies readonly Item[]

/** Of what a team has drawn and made, its owners alone have a list. */
const listsOfOwners: ReadonlySet<string> = new Set(['midjourney', 'task'])

export type ItemId = (typeof items)[number]['id']
type ItemPath = (typeof items)[number]['path']

export interface VisibleItem<P extends string> {
  readonly id: ItemId
  readonly path: P & ItemPath
  readonly letter: string
  /** The chat applications, one sub-item each; empty for every other item. */
  readonly chats: readonly string[]
}

type Panels = Pick<StatusDocument, 'api_info' | 'announcements' | 'faq' | 'uptime_kuma_enabled'>

/** Whether the dashboard has something to tell besides figures. What a browser kept of an older status has no lists. */
export function hasPanels({ api_info, announcements, faq, uptime_kuma_enabled }: Partial<Panels>): boolean {
  const lists = [api_info, announcements, faq]
  return uptime_kuma_enabled === true || lists.some(list => list !== undefined && list.length > 0)
}

export function visibleItems<P extends string>(
  role: number,
  status: (Pick<StatusDocument, Flag | 'chats' | 'chat_link'> & Partial<Panels>) | undefined,
  screens: ReadonlySet<P>,
  team: { readonly isOwner: boolean } | null = null,
): VisibleItem<P>[] {
  const exists = (path: string): path is P => (screens as ReadonlySet<string>).has(path)
  return items.flatMap(item => {
    if (role < item.role || !exists(item.path)) return []
    if (team && !team.isOwner && listsOfOwners.has(item.id)) return []
    const isWanted = !('flag' in item) || status?.[item.flag]
    if (!isWanted && !(item.id === 'detail' && status && hasPanels(status))) return []
    const chats = item.id === 'chat' ? chatNames(status) : []
    if (item.id === 'chat' && chats.length === 0) return []
    return [{ id: item.id, path: item.path, letter: item.letter, chats }]
  })
}

/** A default chat page replaces the list. */
function chatNames(status: Pick<StatusDocument, 'chats' | 'chat_link'> | undefined): string[] {
  if (status?.chat_link !== '') return []
  return status.chats.flatMap(chat => Object.keys(chat).slice(0, 1))
}

/** Where a fresh login leads. Tokens are what people come for; settings are what a first super admin needs. */
export function landingPath<P extends string>(role: number, screens: ReadonlySet<P>): P | '/' {
  const wanted: readonly string[] = role >= roles.root ? ['/token', '/setting'] : ['/token']
  return (
    [...screens]
      .filter(path => wanted.includes(path))
      .toSorted((one, other) => wanted.indexOf(one) - wanted.indexOf(other))[0] ?? '/'
  )
}

/** The sidebar stays away where the whole page belongs to something else, and where nobody is logged in. */
export function sidebarHidden(pathname: string, loggedIn: boolean): boolean {
  return (
    !loggedIn ||
    pathname === '/' ||
    /^\/(chat|chat2link|login|register|reset|oauth|setup|user\/reset)(\/|$)/.test(pathname)
  )
}
