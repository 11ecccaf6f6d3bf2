import { roles } from '../../../contract/users.ts'

/** The tabs, in order, and who sees them. A tab is one file that exports its content as default. */
export const tabs = [
  { id: 'personal', role: roles.user },
  { id: 'operation', role: roles.root },
  { id: 'system', role: roles.root },
  { id: 'other', role: roles.root },
  { id: 'audit', role: roles.root },
] as const

export type TabId = (typeof tabs)[number]['id']

export function isTabId(value: unknown): value is TabId {
  return tabs.some(({ id }) => id === value)
}

/** Whom it takes to open the tab that is asked for. */
export function roleOf(asked: TabId | undefined): number {
  return tabs.find(({ id }) => id === asked)?.role ?? roles.user
}

/** The tab asked for, or else the first that this role may see. */
export function allowedTab(role: number, asked: TabId | undefined) {
  const allowed = tabs.filter(tab => role >= tab.role)
  return allowed.find(({ id }) => id === asked) ?? allowed[0]
}
