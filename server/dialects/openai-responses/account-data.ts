import { type FindAccountData, findIn, findInPart, findInTools, prefixed } from '../account-data.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { tellsTools } from '../tells-tools.ts'

export const accountData: FindAccountData = ({ input, tools }) =>
  (Array.isArray(input) ? findIn(input, 'input', findInItem) : undefined) ?? findInTools(tools)

function findInItem(item: JsonObject): string | undefined {
  const { content, output } = item
  if (tellsTools(item)) return findInTools(item.tools)
  return findInParts(content, 'content') ?? findInParts(output, 'output')
}

/** What a computer shows comes as the one part that it is. */
function findInParts(parts: Json | undefined, field: string): string | undefined {
  if (Array.isArray(parts)) return findIn(parts, field, findInPart)
  return isObject(parts) ? prefixed(field, findInPart(parts)) : undefined
}
