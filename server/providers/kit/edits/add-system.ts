import { asText, isObject, type Json } from '../../../dialects/json.ts'

/** The same messages, with words of ours in front: after the system text where there is one. */
export function addSystem(messages: readonly Json[], words: string): Json[] {
  const [first, ...rest] = messages
  const said = isObject(first) && first.role === 'system' ? asText(first.content) : undefined
  if (!isObject(first) || said === undefined) return [{ role: 'system', content: words }, ...messages]
  return [{ ...first, content: `${said}\n\n${words}` }, ...rest]
}
