import type { JsonObject } from '../../server/dialects/json.ts'
import { readAnthropicTurn } from './anthropic/read-turn.ts'
import { thinksDeepseek } from './deepseek/check-chat.ts'
import { readInteractionTurn } from './gemini/interactions/read-turn.ts'
import { readGeminiTurn } from './gemini/read-turn.ts'
import { thinksMistral } from './mistral/start.ts'
import { readCompletionTurn } from './openai/answer-completions.ts'
import { countEmbeddings } from './openai/answer-embeddings.ts'
import { readChatTurn } from './openai/read-chat-turn.ts'
import { readResponsesTurn } from './openai/read-responses-turn.ts'
import { composeReply, type Reply, type Turn } from './reply.ts'
import { countTally, type Tally } from './tally.ts'

const TURNS = {
  'openai-chat': (body: JsonObject) => readChatTurn(body),
  'openai-responses': readResponsesTurn,
  completions: readCompletionTurn,
  anthropic: readAnthropicTurn,
  gemini: (body: JsonObject) => readGeminiTurn(body),
  'gemini-interactions': (body: JsonObject) => readInteractionTurn(body),
  mistral: (body: JsonObject) => readChatTurn(body, thinksMistral),
  deepseek: (body: JsonObject) => readChatTurn(body, thinksDeepseek),
} satisfies Record<string, (body: JsonObject) => Turn>

export type CountedDialect = keyof typeof TURNS | 'embeddings'

/** What a fake counts for a body it got: its own default reply, or the one that a script puts in its place. */
export function expectedUsage(dialect: CountedDialect, body: JsonObject, reply: Partial<Reply> = {}): Tally {
  if (dialect === 'embeddings') return countEmbeddings(body)
  const turn = TURNS[dialect](body)
  return countTally(turn, { ...composeReply(turn), ...reply })
}

/** The default reply itself, to compare texts and calls with. */
export function expectedReply(dialect: keyof typeof TURNS, body: JsonObject): Reply {
  return composeReply(TURNS[dialect](body))
}
