// Where someone was going when they were asked to log in: that is where the login leads. Of this tab only, and once.

const key = 'return-to'

export function rememberPath(path: string): void {
  try {
    sessionStorage.setItem(key, path)
  } catch {}
}

export function takePath(): string | undefined {
  try {
    const path = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    // Nothing but a place on this site.
    return path && /^\/(?![/\\])/.test(path) ? path : undefined
  } catch {
    return undefined
  }
}
