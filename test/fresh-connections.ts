/**
 * A program closes a connection that has rested for a while, on a slow machine just as a test uses it again: so from now
 * on every call in this process has a connection of its own, unless it asks for another (`keepalive: true`).
 */
export function callOnFreshConnections(): void {
  if (isDone) return
  isDone = true
  const pooled = globalThis.fetch
  const fresh = (...[asked, options]: Parameters<typeof fetch>) =>
    pooled(asked, { keepalive: false, ...options })
  globalThis.fetch = Object.assign(fresh, { preconnect: pooled.preconnect })
}

let isDone = false
