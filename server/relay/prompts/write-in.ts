import type { PromptMessage, PromptParameters } from '../../../contract/prompts.ts'
import { contentTypes } from '../../dialects/gemini-interactions/content-types.ts'
import { isObject, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseField } from '../../dialects/refuse.ts'
import type { DialectName } from '../../dialects/spec.ts'
import { addSystemPrompt } from '../chat/system-prompt.ts'

/** A body with a prompt's messages before its own. */
export function writeMessages(
  dialect: DialectName,
  body: JsonObject,
  messages: readonly PromptMessage[],
): JsonObject {
  if (dialect === 'openai-chat') return { ...body, messages: [...messages, ...listIn(body, 'messages')] }
  const said = messages.filter(({ role }) => role !== 'system')
  const told = messages.filter(({ role }) => role === 'system')
  const system_prompt = told.map(({ content }) => content).join('\n\n')
  const instructed =
    told.length === 0
      ? body
      : { ...body, ...addSystemPrompt(dialect, body, { system_prompt, system_prompt_override: true }) }
  return said.length === 0 ? instructed : { ...instructed, ...before[dialect](body, said) }
}

type Said = readonly PromptMessage[]

/** What is said in a conversation, before what its caller says. */
const before: Record<Exclude<DialectName, 'openai-chat'>, (body: JsonObject, said: Said) => JsonObject> = {
  'openai-responses'(body, said) {
    const first = said.map(message => ({ type: 'message', ...message }))
    if (typeof body.input !== 'string') return { input: [...first, ...listIn(body, 'input')] }
    const own = { type: 'message', role: 'user', content: body.input }
    return { input: [...first, own] }
  },
  anthropic(body, said) {
    return { messages: [...said, ...listIn(body, 'messages')] }
  },
  gemini(body, said) {
    const first = said.map(({ role, content }) => ({
      role: role === 'assistant' ? 'model' : role,
      parts: [{ text: content }],
    }))
    return { contents: [...first, ...listIn(body, 'contents')] }
  },
  'gemini-interactions'({ input }, said) {
    const first = said.map(({ role, content }) => ({
      type: role === 'assistant' ? 'model_output' : 'user_input',
      content: [{ type: 'text', text: content }],
    }))
    return { input: [...first, ...stepsOf(input)] }
  },
}

/** What a caller says in an interaction: a text, contents, or steps as they are. */
function stepsOf(input: Json | undefined): readonly Json[] {
  if (input === undefined || input === null) return []
  if (typeof input === 'string') return [{ type: 'user_input', content: [{ type: 'text', text: input }] }]
  if (!Array.isArray(input)) return [{ type: 'user_input', content: [input] }]
  const isContent = (one: Json): boolean => isObject(one) && contentTypes.has(one.type)
  return input.every(isContent) ? [{ type: 'user_input', content: input }] : input
}

/** A prompt may be all that is said. */
function listIn(body: JsonObject, field: string): readonly Json[] {
  const own = body[field]
  if (own === undefined || own === null) return []
  if (!Array.isArray(own)) refuseField(field, 'field.list')
  return own
}

type Names = Partial<Record<keyof PromptParameters, readonly string[]>>

/** What a dialect calls them; each is written by its first name, unless the caller has said it by any of them. */
const names: Record<DialectName, Names> = {
  'openai-chat': {
    temperature: ['temperature'],
    top_p: ['top_p'],
    max_tokens: ['max_tokens', 'max_completion_tokens'],
    frequency_penalty: ['frequency_penalty'],
    presence_penalty: ['presence_penalty'],
    seed: ['seed'],
    stop: ['stop'],
    reasoning_effort: ['reasoning_effort', 'reasoning', 'thinking', 'enable_thinking'],
  },
  'openai-responses': {
    temperature: ['temperature'],
    top_p: ['top_p'],
    max_tokens: ['max_output_tokens'],
    reasoning_effort: ['reasoning'],
  },
  anthropic: {
    temperature: ['temperature'],
    top_p: ['top_p'],
    max_tokens: ['max_tokens'],
    stop: ['stop_sequences'],
  },
  gemini: {
    temperature: ['temperature'],
    top_p: ['topP', 'top_p'],
    max_tokens: ['maxOutputTokens', 'max_output_tokens'],
    frequency_penalty: ['frequencyPenalty', 'frequency_penalty'],
    presence_penalty: ['presencePenalty', 'presence_penalty'],
    seed: ['seed'],
    stop: ['stopSequences', 'stop_sequences'],
  },
  'gemini-interactions': {
    temperature: ['temperature'],
    top_p: ['top_p'],
    max_tokens: ['max_output_tokens'],
    seed: ['seed'],
    stop: ['stop_sequences'],
  },
}

/** The last version of Anthropic’s API in which callers say how freely words are chosen. */
const LAST_WITH_SAMPLING = '2023-06-01'

/** A body with those of a prompt's parameters that its caller has not said and its dialect has a word for. */
export function writeParameters(
  dialect: DialectName,
  body: JsonObject,
  given: PromptParameters,
  { headers }: Pick<Request, 'headers'>,
): JsonObject {
  const isNewer = dialect === 'anthropic' && (headers.get('anthropic-version') ?? '') > LAST_WITH_SAMPLING
  const parameters = isNewer ? { ...given, temperature: undefined, top_p: undefined } : given
  if (dialect !== 'gemini' && dialect !== 'gemini-interactions')
    return { ...unsaid(dialect, body, parameters), ...body }
  const isOld = dialect === 'gemini' && body.generation_config === undefined
  const field = isOld ? 'generationConfig' : 'generation_config'
  const config = body[field] ?? {}
  if (!isObject(config)) refuseField(field, 'field.object')
  const more = unsaid(dialect, config, parameters)
  return Object.keys(more).length === 0 ? body : { ...body, [field]: { ...more, ...config } }
}

function unsaid(dialect: DialectName, said: JsonObject, parameters: PromptParameters): JsonObject {
  const written: JsonObject = {}
  for (const [parameter, spellings] of Object.entries(names[dialect])) {
    const value = parameters[parameter as keyof PromptParameters]
    const [name = parameter] = spellings
    if (value === undefined || spellings.some(spelling => said[spelling] !== undefined)) continue
    written[name] = name === 'reasoning' ? { effort: value } : value
  }
  return written
}
