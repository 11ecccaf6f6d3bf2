import { composeReply } from '../reply.ts'
import { startUpstream } from '../start-upstream.ts'
import { countTally, NO_TALLY } from '../tally.ts'
import {
  type Call,
  type FakeUpstream,
  Refusal,
  type Route,
  type SeenRequest,
  type UpstreamOptions,
} from '../upstream.ts'
import { CREATED, editUsage } from '../write-frames.ts'
import {
  answerSpeech,
  answerTranscript,
  checkSpeech,
  checkTranscriptions,
  checkTranslations,
} from './answer-audio.ts'
import { answerCompletions, checkCompletions } from './answer-completions.ts'
import { answerEmbeddings, checkEmbeddings } from './answer-embeddings.ts'
import {
  answerEdits,
  answerGenerations,
  answerNamedEdits,
  checkEdits,
  checkGenerations,
  checkNamedEdits,
} from './answer-images.ts'
import {
  answerModels,
  answerModerations,
  answerRerank,
  checkModerations,
  checkRerank,
} from './answer-plain-tasks.ts'
import { answerSearch, checkSearch } from './answer-search.ts'
import { OPENAI_CHAT } from './chat-style.ts'
import { checkChat } from './check-chat.ts'
import { checkResponses } from './check-responses.ts'
import { containerRoutes } from './containers.ts'
import { conversationRoutes, withConversation } from './conversations.ts'
import { failOpenai, refuseOpenai } from './fail.ts'
import { checkFilesNamed, fileRoutes } from './files.ts'
import { readChatTurn } from './read-chat-turn.ts'
import { readResponsesTurn } from './read-responses-turn.ts'
import { storedRoutes } from './stored-responses.ts'
import { talkRealtime } from './talk-realtime.ts'
import { writeChat } from './write-chat.ts'
import { responsesUsage, writeResponses } from './write-responses.ts'

export interface OpenaiOptions extends UpstreamOptions {
  /** What stands before the tasks: `/v1`, or another of the vendors that speak the same. */
  readonly prefix?: string
  /** Whether thoughts are shown beside the text, as vendors of open models do. */
  readonly showsThinking?: boolean
}

const COMPACTED = [
  'model',
  'input',
  'instructions',
  'previous_response_id',
  'prompt_cache_key',
  'service_tier',
]

export function openaiRoutes(prefix: string, showsThinking = false): Route[] {
  const style = showsThinking ? { ...OPENAI_CHAT, thinking: 'reasoning_content' as const } : OPENAI_CHAT
  const post = (
    task: string,
    route: Pick<Route, 'check' | 'answer'>,
    takes: Route['takes'] = 'json',
  ): Route => ({
    method: 'POST',
    path: new RegExp(`^${prefix}/${task}$`),
    takes,
    ...route,
  })
  return [
    post('chat/completions', {
      check: both(checkChat, checkFilesNamed),
      answer: (call, answer) => writeChat(call, readChatTurn(call.body), style, answer),
    }),
    post('responses', {
      check: both(checkResponses, checkFilesNamed),
      answer: (call, answer) => writeResponses(call, readResponsesTurn(withConversation(call)), answer),
    }),
    post('responses/compact', {
      check: call => {
        const unknown = Object.keys(call.body).find(name => !COMPACTED.includes(name))
        if (unknown !== undefined)
          refuseOpenai(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter')
      },
      answer: (call, answer) => {
        const turn = readResponsesTurn(call.body)
        const tally = countTally(turn, composeReply(turn))
        const item = { id: call.newId('cmp_', 48), type: 'compaction', encrypted_content: 'sealed' }
        const body = {
          id: call.newId('resp_', 48),
          object: 'response.compaction',
          created_at: CREATED,
          output: [
            { type: 'message', role: 'user', content: [{ type: 'input_text', text: turn.lastText }] },
            item,
          ],
          usage: editUsage(responsesUsage(tally), answer),
        }
        return { contentType: 'application/json', body: JSON.stringify(body), tally }
      },
    }),
    post('responses/input_tokens', {
      check: checkFilesNamed,
      answer: call => {
        const turn = readResponsesTurn(withConversation(call))
        const { input } = countTally(turn, composeReply(turn))
        const body = JSON.stringify({ object: 'response.input_tokens', input_tokens: input })
        return { contentType: 'application/json', body, tally: NO_TALLY }
      },
    }),
    ...storedRoutes(prefix),
    ...conversationRoutes(prefix),
    ...containerRoutes(prefix),
    ...fileRoutes(prefix),
    post('completions', { check: checkCompletions, answer: answerCompletions }),
    post('embeddings', { check: checkEmbeddings, answer: answerEmbeddings }),
    post('moderations', { check: checkModerations, answer: answerModerations }),
    post('alpha/search', { check: checkSearch, answer: answerSearch }),
    post('rerank', { check: checkRerank, answer: answerRerank }),
    post('images/generations', { check: checkGenerations, answer: answerGenerations }),
    post('images/edits', { check: checkEdits, answer: answerEdits }, 'form'),
    post('images/edits', { check: both(checkNamedEdits, checkFilesNamed), answer: answerNamedEdits }),
    post('audio/speech', { check: checkSpeech, answer: answerSpeech }),
    post('audio/transcriptions', { check: checkTranscriptions, answer: answerTranscript }, 'form'),
    post('audio/translations', { check: checkTranslations, answer: answerTranscript }, 'form'),
    { method: 'GET', path: new RegExp(`^${prefix}/models$`), takes: 'nothing', answer: answerModels },
  ]
}

function both(one: NonNullable<Route['check']>, other: NonNullable<Route['check']>) {
  return (call: Call): void => {
    one(call)
    other(call)
  }
}

function authorizeBearer(seen: SeenRequest, key: string): void {
  const given = seen.headers.authorization ?? browserKey(seen)
  if (given === `Bearer ${key}`) return
  const shown = given?.replace(/^Bearer /, '') ?? ''
  const message =
    given === undefined
      ? "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
      : `Incorrect API key provided: ${shown.slice(0, 8)}****${shown.slice(-4)}. You can find your API key at https://platform.openai.com/account/api-keys.`
  throw new Refusal('the key is wrong', failOpenai('bad-key', message))
}

/** Browsers cannot set headers on a WebSocket: the key is one of the protocols. */
function browserKey(seen: SeenRequest): string | undefined {
  const protocols = seen.headers['sec-websocket-protocol']?.split(/,\s*/) ?? []
  const found = protocols.find(one => one.startsWith('openai-insecure-api-key.'))
  return found && `Bearer ${found.slice('openai-insecure-api-key.'.length)}`
}

export function startOpenai(options: OpenaiOptions = {}): Promise<FakeUpstream> {
  const { key = 'sk-upstream-openai-0123456789', prefix = '/v1', showsThinking } = options
  return startUpstream(
    {
      name: 'OpenAI',
      key,
      keyHeaders: ['authorization'],
      routes: openaiRoutes(prefix, showsThinking),
      authorize: authorizeBearer,
      fail: failOpenai,
      socket: { path: new RegExp(`^${prefix}/realtime$`), talk: talkRealtime },
    },
    options,
  )
}
