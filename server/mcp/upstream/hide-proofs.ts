import type { JsonObject } from '../../dialects/json.ts'
import type { McpServer } from '../mcp-server.ts'

/**
 * Takes what proves the gateway to a server out of what the server says, in place: a tool that shows what it was asked, or
 * tells in its answer why it failed, would give it to whoever calls. However deep it is: a server may send anything.
 */
export function hideProofs(message: JsonObject, { proofs }: McpServer): void {
  if (proofs.length === 0) return
  const open: object[] = [message]
  for (let holder = open.pop(); holder; holder = open.pop()) {
    const places = holder as Record<string, unknown>
    for (const [name, value] of Object.entries(places)) {
      if (typeof value === 'string') {
        if (proofs.some(proof => value.includes(proof))) places[name] = without(value, proofs)
        // A number that is kept as it was spelled cannot be written to.
      } else if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) open.push(value)
    }
  }
}

function without(text: string, proofs: readonly string[]): string {
  return proofs.reduce((left, proof) => left.replaceAll(proof, '***'), text)
}
