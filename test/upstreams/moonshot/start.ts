import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { chatUsage, OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import type { FakeUpstream, UpstreamOptions } from '../upstream.ts'

const INVALID = 'invalid_request_error'

const fail = tellFailures(
  {
    'too-long': [400, INVALID, 'Invalid request: Your request exceeded model token limit: 262144'],
    'bad-key': [401, 'invalid_authentication_error', 'Invalid Authentication'],
    'no-model': [404, 'resource_not_found_error', 'Not found the model none or Permission denied'],
    'rate-limit': [429, 'rate_limit_reached_error', 'Your account reached max request: 3'],
    quota: [429, 'exceeded_current_quota_error', 'Your account is suspended, please check your plan'],
    'server-error': [500, 'server_error', 'Internal Server Error'],
    overloaded: [429, 'engine_overloaded_error', 'The engine is currently overloaded'],
  },
  (_, type, message) => ({ error: { message, type } }),
)

const STYLE: ChatStyle = {
  ...OPENAI_CHAT,
  usage: tally => ({ ...chatUsage(tally), cached_tokens: tally.cached }),
  thinking: 'reasoning_content',
  saysNoUsage: false,
  choiceExtra: {},
  messageExtra: {},
  startExtra: {},
  chunkExtra: {},
  extra: {},
}

const SAMPLING = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty']

/** What it refuses depends on how the model thinks: always and in degrees, always, or unless told not to. */
function findFault(body: JsonObject): string | undefined {
  const model = asText(body.model) ?? ''
  const type = asText(asObject(body.thinking)?.type)
  const effort = asText(body.reasoning_effort)
  const choice = body.tool_choice === 'required' ? 'required' : asObject(body.tool_choice) && 'specified'
  const fixed = SAMPLING.find(name => body[name] !== undefined)
  if (fixed !== undefined) return `invalid ${fixed}: only 1 is allowed for this model`
  const isOn = type !== 'disabled'
  if (model.startsWith('kimi-k3')) {
    if (type !== undefined) return 'invalid thinking: this model takes reasoning_effort'
    if (effort !== undefined && !['low', 'high', 'max'].includes(effort)) return 'invalid reasoning_effort'
    if (choice === 'specified') return "tool_choice 'specified' is incompatible with thinking enabled"
  } else {
    if (type !== undefined && effort !== undefined)
      return "cannot specify both 'thinking' and 'reasoning_effort'"
    if (model.startsWith('kimi-k2.7') && !isOn)
      return 'invalid thinking: only type=enabled is allowed for this model'
    if (choice && isOn) return `tool_choice '${choice}' is incompatible with thinking enabled`
  }
  const bare = asArray(body.messages).findIndex(one => {
    const message = asObject(one)
    return asArray(message?.tool_calls).length > 0 && !message?.reasoning_content
  })
  if (bare < 0 || !isOn) return undefined
  return `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${bare}`
}

/** Thinks aloud here only where somebody asked for it. */
function thinks(body: JsonObject): boolean {
  return body.reasoning_effort === 'max' || asObject(body.thinking)?.type === 'enabled'
}

export function startMoonshot(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'Moonshot',
      key: 'sk-fake-moonshot-0123456789',
      prefix: '/v1',
      tasks: ['models'],
      style: STYLE,
      accepts: ['thinking', 'reasoning_content', 'partial'],
      findFault,
      thinks,
      fail,
    },
    options,
  )
}
