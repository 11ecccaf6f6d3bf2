/** A first call that anyone with an account can paste. The token stays in the reader's own environment. */
export function snippetFor(address: string): string {
  return `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Hello"}]}'`
}
