import type { JsonObject } from '../../../server/dialects/json.ts'
import { answerTranscript, checkTranscriptions } from '../openai/answer-audio.ts'
import { answerEmbeddings, checkEmbeddings } from '../openai/answer-embeddings.ts'
import { answerModels, answerModerations, checkModerations } from '../openai/answer-plain-tasks.ts'
import { readChatTurn } from '../openai/read-chat-turn.ts'
import { type ChatStyle, writeChat } from '../openai/write-chat.ts'
import { startUpstream } from '../start-upstream.ts'
import type { Tally } from '../tally.ts'
import { bearerOnly, type FakeUpstream, type UpstreamOptions } from '../upstream.ts'
import { dataFrame } from '../write-frames.ts'
import { answerOcr, checkOcr } from './answer-ocr.ts'
import { answerSpeech, checkSpeech } from './answer-speech.ts'
import { checkMistralChat } from './check-chat.ts'
import { failMistral } from './fail.ts'

function mistralUsage(tally: Tally): JsonObject {
  return {
    prompt_tokens: tally.input,
    total_tokens: tally.input + tally.output,
    completion_tokens: tally.output,
    num_cached_tokens: tally.cached,
  }
}

const MISTRAL_CHAT: ChatStyle = {
  idPrefix: '',
  newCallId: call => call.newId('', 9),
  usage: mistralUsage,
  usageIn: 'finish-chunk',
  thinking: 'parts',
  saysNoUsage: false,
  lastDelta: { content: '' },
  errorFrame: dataFrame(failMistral('server-error').body),
}

export function thinksMistral(body: JsonObject): boolean {
  const effort = body.reasoning_effort
  return body.prompt_mode === 'reasoning' || (typeof effort === 'string' && effort !== 'none')
}

export function startMistral(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'UpstreamMistral0123456789' } = options
  return startUpstream(
    {
      name: 'Mistral',
      key,
      keyHeaders: ['authorization'],
      authorize: bearerOnly(failMistral),
      fail: failMistral,
      routes: [
        {
          method: 'POST',
          path: /^\/v1\/chat\/completions$/,
          takes: 'json',
          check: checkMistralChat,
          answer: (call, answer) =>
            writeChat(call, readChatTurn(call.body, thinksMistral), MISTRAL_CHAT, answer),
        },
        {
          method: 'POST',
          path: /^\/v1\/embeddings$/,
          takes: 'json',
          check: checkEmbeddings,
          answer: answerEmbeddings,
        },
        {
          method: 'POST',
          path: /^\/v1\/moderations$/,
          takes: 'json',
          check: checkModerations,
          answer: answerModerations,
        },
        {
          method: 'POST',
          path: /^\/v1\/audio\/speech$/,
          takes: 'json',
          check: checkSpeech,
          answer: answerSpeech,
        },
        {
          method: 'POST',
          path: /^\/v1\/audio\/transcriptions$/,
          takes: 'form',
          check: checkTranscriptions,
          answer: answerTranscript,
        },
        { method: 'POST', path: /^\/v1\/ocr$/, takes: 'json', check: checkOcr, answer: answerOcr },
        { method: 'GET', path: /^\/v1\/models$/, takes: 'nothing', answer: answerModels },
      ],
    },
    options,
  )
}
