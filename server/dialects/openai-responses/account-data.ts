import { type FindAccountData, findIn, findInPart, findInTools, prefixed } from '../account-data.ts'
import { asObject, isObject, type Json, type JsonObject } from '../json.ts'
import { tellsTools } from '../tells-tools.ts'

/** Answers, and what they tell of files, may come back as they are: they were given to whoever sends them. */
export const accountData: FindAccountData = ({ prompt, input, tools }) => {
  if (asObject(prompt)?.id) return 'prompt.id'
  return (Array.isArray(input) ? findIn(input, 'input', findInItem) : undefined) ?? findInTools(tools)
}

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
