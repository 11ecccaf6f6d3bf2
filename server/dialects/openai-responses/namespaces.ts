import { asText, type JsonObject } from '../json.ts'
import type { Grouped, NeutralRequest, Tool } from '../spec.ts'

// Clients of this dialect may put tools into namespaces, and calls then have two names. No other vendor knows that:
// there the two are one.

/** What the client's own search for tools is called where it is a function like others. */
export const TOOL_SEARCH = 'tool_search'

export type FunctionTool = Extract<Tool, { type: 'function' }>

export function joinNames(namespace: string | undefined, name: string): string {
  if (!namespace) return name
  return namespace.endsWith('_') ? namespace + name : `${namespace}__${name}`
}

/** What a call, or a choice, of this dialect names. */
export function nameIn({ namespace, name }: JsonObject): string {
  return joinNames(asText(namespace), asText(name) ?? '')
}

/** The first tool of a namespace tells what all of them are for. */
export function groupTool(tool: FunctionTool, grouped: Grouped, isFirst: boolean): FunctionTool {
  const about = isFirst && grouped.description ? `(${grouped.namespace}: ${grouped.description})` : ''
  const told = [tool.description ?? '', about].filter(text => text !== '').join('\n\n')
  return {
    ...tool,
    name: joinNames(grouped.namespace, tool.name),
    ...(told !== '' && { description: told }),
    grouped,
  }
}

export type SpecialTools = ReadonlyMap<string, FunctionTool>

/** The tools whose calls are not written as a mere function's. */
export function specialTools({ tools }: NeutralRequest): SpecialTools {
  const special = new Map<string, FunctionTool>()
  for (const tool of tools)
    if (tool.type === 'function' && (tool.freeform || tool.grouped || tool.findsTools))
      special.set(tool.name, tool)
  return special
}

/** What the ids of a tool's calls begin with. */
export function callPrefix(tool: FunctionTool | undefined): 'fc' | 'ctc' | 'tsc' {
  if (tool?.findsTools) return 'tsc'
  return tool?.freeform ? 'ctc' : 'fc'
}
