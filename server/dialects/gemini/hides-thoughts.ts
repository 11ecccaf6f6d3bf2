import type { NeutralRequest } from '../spec.ts'

/**
 * Google tells thoughts to nobody who has not asked for them, and clients that have not take every text for the answer.
 * Of who says nothing about thinking and offers tools they are told all the same: some vendors want them back with the
 * result of a call.
 */
export function hidesThoughts({ reasoning, tools }: NeutralRequest): boolean {
  if (reasoning?.visible !== undefined) return !reasoning.visible
  return tools.length === 0
}
