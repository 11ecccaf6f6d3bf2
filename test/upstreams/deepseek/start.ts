import type { JsonObject } from '../../../server/dialects/json.ts'
import { answerCompletions, checkCompletions } from '../openai/answer-completions.ts'
import { answerModels } from '../openai/answer-plain-tasks.ts'
import { readChatTurn } from '../openai/read-chat-turn.ts'
import { type ChatStyle, writeChat } from '../openai/write-chat.ts'
import { startUpstream } from '../start-upstream.ts'
import { NO_TALLY, type Tally } from '../tally.ts'
import {
  type FakeUpstream,
  Refusal,
  type Rendered,
  type SeenRequest,
  type UpstreamOptions,
} from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'
import { checkDeepseekChat, thinksDeepseek } from './check-chat.ts'
import { failDeepseek } from './fail.ts'

function deepseekUsage(tally: Tally): JsonObject {
  return {
    prompt_tokens: tally.input,
    completion_tokens: tally.output,
    total_tokens: tally.input + tally.output,
    prompt_tokens_details: { cached_tokens: tally.cached },
    completion_tokens_details: { reasoning_tokens: tally.reasoning },
    prompt_cache_hit_tokens: tally.cached,
    prompt_cache_miss_tokens: tally.input - tally.cached,
  }
}

const DEEPSEEK_CHAT: ChatStyle = {
  idPrefix: '',
  newCallId: call => call.newId('call_00_', 22),
  usage: deepseekUsage,
  usageIn: 'finish-chunk',
  thinking: 'reasoning_content',
  saysNoUsage: true,
  choiceExtra: { logprobs: null },
  lastDelta: { content: '' },
  extra: { system_fingerprint: 'fp_0123456789' },
  errorFrame: dataFrame(failDeepseek('server-error').body),
}

const BALANCE = JSON.stringify({
  is_available: true,
  balance_infos: [
    { currency: 'CNY', total_balance: '110.00', granted_balance: '10.00', topped_up_balance: '100.00' },
  ],
})

function tellBalance(): Rendered {
  return { contentType: 'application/json', body: BALANCE, tally: NO_TALLY }
}

export function startDeepseek(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'sk-upstream-deepseek-0123456789' } = options
  return startUpstream(
    {
      name: 'DeepSeek',
      key,
      keyHeaders: ['authorization'],
      authorize,
      fail: failDeepseek,
      routes: [
        {
          method: 'POST',
          path: /^(\/v1)?\/chat\/completions$/,
          takes: 'json',
          check: checkDeepseekChat,
          answer: (call, answer) =>
            writeChat(call, readChatTurn(call.body, thinksDeepseek), DEEPSEEK_CHAT, answer),
        },
        {
          method: 'POST',
          path: /^\/(v1|beta)\/completions$/,
          takes: 'json',
          check: checkCompletions,
          answer: answerCompletions,
        },
        { method: 'GET', path: /^(\/v1)?\/models$/, takes: 'nothing', answer: answerModels },
        { method: 'GET', path: /^\/user\/balance$/, takes: 'nothing', answer: tellBalance },
      ],
    },
    options,
  )
}

function authorize(seen: SeenRequest, key: string): void {
  const given = seen.headers.authorization
  if (given === `Bearer ${key}`) return
  const message = `Authentication Fails, Your api key: ****${given?.slice(-4) ?? ''} is invalid`
  throw new Refusal('the key is wrong', failDeepseek('bad-key', message))
}
