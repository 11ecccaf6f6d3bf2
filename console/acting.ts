// Which team this tab acts for, if any. Each tab has its own: what is done in one is never done for what was chosen in
// another. The server judges it with every call; this is for naming it, and for drawing the page.

export interface ActingTeam {
  readonly id: number
  readonly name: string
  readonly isOwner: boolean
  /** Who chose it: whoever logs in after them acts for themselves. */
  readonly userId: number
}

const KEY = 'acting'
const listeners = new Set<() => void>()
let changed = () => {}
let team: ActingTeam | null = readStored()

function readStored(): ActingTeam | null {
  try {
    const value: ActingTeam | null = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return value && Number.isInteger(value.id) && Number.isInteger(value.userId) ? value : null
  } catch {
    return null
  }
}

export function chosenTeam(): ActingTeam | null {
  return team
}

/** What else is to be done then. Set once, by the router. */
export function whenActingChanges(act: () => void): void {
  changed = act
}

/** Null for oneself. */
export function actFor(next: ActingTeam | null): void {
  team = next
  try {
    if (next) sessionStorage.setItem(KEY, JSON.stringify(next))
    else sessionStorage.removeItem(KEY)
  } catch {}
  for (const listener of listeners) listener()
  changed()
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
