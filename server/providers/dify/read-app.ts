import type { Destination } from '../define.ts'

type AppKind = 'chat' | 'completion' | 'workflow'

interface App {
  readonly kind: AppKind
  /** The variable that takes what is asked, where the app has variables only. */
  readonly variable: string
}

/** `other` says what the app is and, behind a colon, how it calls what is asked: `workflow:question`. */
export function readApp({ other }: Pick<Destination, 'other'>): App {
  const [kind = '', variable = ''] = other.split(':', 2).map(part => part.trim())
  return {
    kind: kind === 'completion' || kind === 'workflow' ? kind : 'chat',
    variable: variable || 'query',
  }
}

export function isApp(kind: AppKind): (to: Destination) => boolean {
  return to => readApp(to).kind === kind
}
