import { asArray, asObject, type JsonObject } from '../../../server/dialects/json.ts'
import { OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike, tellFailures } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import type { FakeUpstream, UpstreamOptions } from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'
import { failures, tellFailure } from './failures.ts'

const fail = tellFailures(failures, tellFailure)

/** What it found stands on every chunk, and so does what was used so far. */
const STYLE: ChatStyle = {
  ...OPENAI_CHAT,
  idPrefix: '',
  usage: tally => ({
    prompt_tokens: tally.input,
    completion_tokens: tally.output,
    total_tokens: tally.input + tally.output,
    search_context_size: 'low',
    cost: { input_tokens_cost: 0, output_tokens_cost: 0, request_cost: 0.005, total_cost: 0.005 },
  }),
  tally: tally => ({ ...tally, cached: 0, reasoning: 0 }),
  usageIn: 'every-chunk',
  saysNoUsage: false,
  choiceExtra: {},
  messageExtra: {},
  startExtra: {},
  chunkExtra: {},
  lastDelta: { role: 'assistant', content: '' },
  extra: {
    citations: ['https://example.org/a'],
    search_results: [{ title: 'A', url: 'https://example.org/a', date: '2026-11-01' }],
  },
  errorFrame: dataFrame(fail('server-error').body),
}

/** After the system's words, the user and the model speak in turn, and the user last. */
function findFault({ messages, tools }: JsonObject): string | undefined {
  if (tools !== undefined) return 'Tool calling is not supported for this model'
  const roles = asArray(messages).map(message => asObject(message)?.role)
  const turns = roles.slice(roles.lastIndexOf('system') + 1)
  if (turns.some((role, at) => role !== (at % 2 === 0 ? 'user' : 'assistant')))
    return 'After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).'
  return turns.at(-1) === 'user' ? undefined : 'Last message must have role `user`.'
}

export function startPerplexityChat(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'Perplexity chat',
      key: 'pplx-fake0123456789',
      prefix: '',
      tasks: [],
      style: STYLE,
      accepts: ['search_domain_filter', 'search_recency_filter', 'return_images', 'search_mode'],
      findFault,
      fail,
    },
    options,
  )
}
