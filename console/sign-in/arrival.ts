const first =
  typeof location === 'undefined' ? undefined : { path: location.pathname, search: location.search }

/**
 * The query that the page was opened with, word for word. The router reads numbers out of whatever looks like
 * one, which some codes do: `1e10` is an invite code too.
 */
export function arrivedWith(path: string): URLSearchParams {
  return new URLSearchParams(first?.path === path ? first.search : '')
}
