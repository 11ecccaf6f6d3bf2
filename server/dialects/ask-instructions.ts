import type { NeutralRequest } from './spec.ts'

/** Where there is nothing but instructions, they are what is to be answered: most vendors want a turn of a user. */
export function askInstructions(request: NeutralRequest): NeutralRequest {
  const { system, messages } = request
  if (system.length === 0 || messages.some(({ parts }) => parts.length > 0)) return request
  return { ...request, system: [], messages: [{ role: 'user', parts: system }] }
}
