import type { NeutralRequest } from '../spec.ts'

/** `signed`: without their text, but with what their vendor has to get back. */
export type ShownThoughts = 'all' | 'signed' | 'none'

/**
 * Who has asked for no thoughts reads the first block as the answer, and gets none before it. Of who says nothing about
 * them and offers tools they are told all the same: some vendors want them back with the result of a call.
 */
export function shownThoughts({ reasoning, tools }: NeutralRequest): ShownThoughts {
  if (reasoning?.visible !== undefined) return reasoning.visible ? 'all' : 'signed'
  return tools.length === 0 ? 'none' : 'all'
}
