import { asText } from '../../../server/dialects/json.ts'
import { answerCompletions, checkCompletions } from '../openai/answer-completions.ts'
import { answerEmbeddings, checkEmbeddings } from '../openai/answer-embeddings.ts'
import { answerModels } from '../openai/answer-plain-tasks.ts'
import { OPENAI_CHAT } from '../openai/chat-style.ts'
import { readChatTurn } from '../openai/read-chat-turn.ts'
import { type ChatStyle, writeChat } from '../openai/write-chat.ts'
import { startUpstream } from '../start-upstream.ts'
import {
  type Call,
  type FakeUpstream,
  Refusal,
  type Route,
  type SeenRequest,
  type UpstreamOptions,
  type Vendor,
} from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'
import { answerNative } from './answer-native.ts'
import {
  answerRerank,
  checkDraw,
  checkRerank,
  checkTask,
  drawAtOnce,
  promiseTask,
  tellTask,
} from './answer-tasks.ts'
import { checkCompatible, thinks } from './check-compatible.ts'
import { checkNative } from './check-native.ts'
import { failCompatible, failNative, refuseCompatible } from './fail.ts'

const { chunkExtra: _, ...OPENAI_STYLE } = OPENAI_CHAT
const STYLE: ChatStyle = {
  ...OPENAI_STYLE,
  thinking: 'reasoning_content',
  errorFrame: dataFrame(failCompatible('server-error').body),
  extra: { system_fingerprint: null },
}

const isDrawing = ({ body }: Call): boolean => /^(qwen-image|z-image|wan)/.test(asText(body.model) ?? '')

const routes: readonly Route[] = [
  {
    method: 'POST',
    path: /^\/compatible-mode\/v1\/chat\/completions$/,
    takes: 'json',
    check: checkCompatible,
    answer: (call, answer) => writeChat(call, readChatTurn(call.body, thinks), STYLE, answer),
  },
  {
    method: 'POST',
    path: /^\/compatible-mode\/v1\/completions$/,
    takes: 'json',
    check: checkCompletions,
    answer: answerCompletions,
  },
  {
    method: 'POST',
    path: /^\/compatible-mode\/v1\/embeddings$/,
    takes: 'json',
    check(call) {
      if (call.body.encoding_format === 'base64') refuseCompatible('encoding_format only supports float')
      checkEmbeddings(call)
    },
    answer: answerEmbeddings,
  },
  { method: 'GET', path: /^\/compatible-mode\/v1\/models$/, takes: 'nothing', answer: answerModels },
  {
    method: 'POST',
    path: /^\/api\/v1\/services\/aigc\/text-generation\/generation$/,
    takes: 'json',
    check: checkNative,
    answer: answerNative,
  },
  {
    method: 'POST',
    path: /^\/api\/v1\/services\/aigc\/multimodal-generation\/generation$/,
    takes: 'json',
    check: call => (isDrawing(call) ? checkDraw : checkNative)(call),
    answer: (call, answer) => (isDrawing(call) ? drawAtOnce(call) : answerNative(call, answer)),
  },
  {
    method: 'POST',
    path: /^\/api\/v1\/services\/rerank\/text-rerank\/text-rerank$/,
    takes: 'json',
    check: checkRerank,
    answer: answerRerank,
  },
  {
    method: 'POST',
    path: /^\/api\/v1\/services\/aigc\/text2image\/image-synthesis$/,
    takes: 'json',
    check: checkTask,
    answer: promiseTask,
  },
  { method: 'GET', path: /^\/api\/v1\/tasks\/(?<id>[\w-]+)$/, takes: 'nothing', answer: tellTask },
]

export function startAli(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return start(failCompatible, options)
}

/** Its failures are those of its own API. */
export function startAliNative(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  return start(failNative, options)
}

function start(fail: Vendor['fail'], options: UpstreamOptions): Promise<FakeUpstream> {
  const { key = 'sk-upstreamali0123456789abcdef' } = options
  const authorize = (seen: SeenRequest): void => {
    if (seen.headers.authorization !== `Bearer ${key}`) throw new Refusal('the key is wrong', fail('bad-key'))
  }
  return startUpstream({ name: 'Ali', key, keyHeaders: ['authorization'], authorize, fail, routes }, options)
}
