/** Where clients reach this gateway. Until the administrator says so, the page's own address is the best guess. */
export function publicAddress(configured: string | undefined): string {
  return configured && configured !== unsetAddress ? configured : location.origin
}

/** What the status document says when no server address is set. */
const unsetAddress = 'http://localhost:3000'

/** A first call that anyone with an account can paste. The token stays in the reader's own environment. */
export function snippetFor(address: string): string {
  return `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Hello"}]}'`
}
