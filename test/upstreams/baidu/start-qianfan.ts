import { chatUsage, OPENAI_CHAT } from '../openai/chat-style.ts'
import { startAlike } from '../openai/start-alike.ts'
import type { ChatStyle } from '../openai/write-chat.ts'
import type { FakeUpstream, UpstreamOptions } from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'
import { failQianfan } from './fail.ts'

/** `flag` is how safe the content was found. */
const STYLE: ChatStyle = {
  ...OPENAI_CHAT,
  idPrefix: 'as-',
  usage: chatUsage,
  thinking: 'reasoning_content',
  saysNoUsage: false,
  choiceExtra: { flag: 0 },
  messageExtra: {},
  startExtra: {},
  chunkExtra: {},
  lastDelta: { content: '' },
  extra: {},
  errorFrame: dataFrame(failQianfan('server-error').body),
}

/** The second API. The key may name an application beside it. */
export function startQianfan(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return startAlike(
    {
      name: 'Qianfan',
      key: 'bce-v3/ALTAK-fake0123456789/0123456789abcdef|app-fake01',
      header: ['appid', 'app-fake01'],
      prefix: '/v2',
      tasks: ['completions', 'embeddings', 'rerank', 'images/generations', 'models'],
      style: STYLE,
      accepts: ['reasoning_content', 'web_search', 'penalty_score', 'enable_thinking'],
      fail: failQianfan,
    },
    options,
  )
}
