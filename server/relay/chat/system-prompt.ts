import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import type { DialectName, NeutralRequest } from '../../dialects/spec.ts'
import type { Edits } from '../../providers/define.ts'
import type { ChannelSetting } from '../routing/channel-setting.ts'

// What the operator of a channel has to say to its models: for whoever brings no instructions of their own, and
// before those of everybody where the operator insists.

/** The same request with it, for one that is written anew. */
export function withSystemPrompt(request: NeutralRequest, setting: ChannelSetting): NeutralRequest {
  const { system_prompt: text, system_prompt_override: insists } = setting
  if (text === undefined) return request
  const hasOwn = request.system.length > 0 || request.messages.some(({ role }) => role === 'system')
  if (hasOwn && !insists) return request
  return { ...request, system: [{ type: 'text', text }, ...request.system] }
}

/** What it changes in a request that passes as it is; a body that makes no sense is left to its upstream. */
export function addSystemPrompt(
  dialect: DialectName,
  body: JsonObject,
  setting: Pick<ChannelSetting, 'system_prompt' | 'system_prompt_override'>,
): Edits | undefined {
  const { system_prompt: text, system_prompt_override: insists = false } = setting
  return text === undefined ? undefined : edits[dialect](body, text, insists)
}

type Edit = (body: JsonObject, text: string, insists: boolean) => Edits | undefined

const edits: Record<DialectName, Edit> = {
  'openai-chat'(body, text, insists) {
    if (!Array.isArray(body.messages)) return undefined
    const [first, ...rest] = body.messages
    const ownFirst = isInstruction(first) ? asObject(first) : undefined
    const hasOwn = ownFirst !== undefined || rest.some(isInstruction)
    if (hasOwn && !insists) return undefined
    // Not every model takes two of them.
    if (ownFirst) return { messages: [{ ...ownFirst, content: before(text, ownFirst.content) }, ...rest] }
    return { messages: [{ role: 'system', content: text }, ...body.messages] }
  },
  'openai-responses'(body, text, insists) {
    const own = asText(body.instructions) || undefined
    const hasOwn = own !== undefined || asArray(body.input).some(isInstruction)
    return hasOwn && !insists ? undefined : { instructions: before(text, own) }
  },
  anthropic(body, text, insists) {
    const hasOwn = asArray(body.system).length > 0 || Boolean(asText(body.system))
    return hasOwn && !insists ? undefined : { system: before(text, body.system) }
  },
  gemini(body, text, insists) {
    const name = body.system_instruction === undefined ? 'systemInstruction' : 'system_instruction'
    const own = asObject(body[name])
    const parts = [own?.parts ?? []].flat()
    return parts.length > 0 && !insists ? undefined : { [name]: { ...own, parts: [{ text }, ...parts] } }
  },
  'gemini-interactions'({ system_instruction }, text, insists) {
    const own = asText(system_instruction) || undefined
    return own !== undefined && !insists ? undefined : { system_instruction: before(text, own) }
  },
}

function isInstruction(message: Json | undefined): boolean {
  const role = asObject(message)?.role
  return role === 'system' || role === 'developer'
}

/** In front of what stands there: text, a list of blocks, or nothing. */
function before(text: string, own: Json | undefined): Json {
  if (Array.isArray(own)) return [{ type: 'text', text }, ...own]
  return typeof own === 'string' && own !== '' ? `${text}\n\n${own}` : text
}
