/** Where clients reach this gateway. Until the administrator says so, the page's own address is the best guess. */
export function publicAddress(configured: string | undefined): string {
  return configured && configured !== unsetAddress ? configured : location.origin
}

/** What the status document says when no server address is set. */
const unsetAddress = 'http://localhost:3000'
