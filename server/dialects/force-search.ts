import type { NeutralRequest, Tool } from './spec.ts'

/** A search that has to be made goes by other names elsewhere: it is offered alone, and what is offered has to be used. */
export function forceSearch(tools: readonly Tool[]): Pick<NeutralRequest, 'tools' | 'toolChoice'> {
  return { tools: tools.filter(({ type }) => type === 'web-search'), toolChoice: { type: 'required' } }
}
