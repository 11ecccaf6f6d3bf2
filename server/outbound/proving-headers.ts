import { isCredentialHeader } from './request-headers.ts'

/** Shorter ones are no secrets, and blanking them garbles texts. */
export const SHORTEST_PROOF = 8
/** What stands for a channel's key, or for what a client has said, is known by itself. */
const filledIn = /\{(api_key|client_header:[\w-]+)\}/

/** Whether a header that the operator sends is a proof, as far as its name tells. Names in small letters. */
export function provesSomething(name: string, value: string): boolean {
  return isCredentialHeader(name, []) && value.length >= SHORTEST_PROOF && !filledIn.test(value)
}
