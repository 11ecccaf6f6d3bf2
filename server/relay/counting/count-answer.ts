import { separate } from '../../dialects/several-answers.ts'
import type { AnswerPart, TokenUsage } from '../../dialects/spec.ts'
import type { WholeChat } from '../chat/ask-chat.ts'
import type { ChatCall } from '../chat/chat-call.ts'
import { countInput } from './count-input.ts'
import { tokensOfMedia } from './made-media.ts'
import type { TokenCounter } from './token-counter.ts'

/** What a whole answer used, where its upstream did not say. */
export async function countAnswer(
  counter: TokenCounter,
  call: ChatCall,
  answer: WholeChat,
): Promise<TokenUsage> {
  const parts = saidIn(call, answer)
  const [input, text] = await Promise.all([
    countInput(counter, call),
    counter.countText(parts.map(wordsOf).join('')),
  ])
  const media = parts.reduce((sum, part) => sum + (part.type === 'media' ? tokensOfMedia(part) : 0), 0)
  return asSaid(call, { input, output: text + media })
}

/** Where sound was asked for, nearly all of what was counted is sound. */
export function asSaid({ outline }: ChatCall, usage: TokenUsage): TokenUsage {
  return outline.speaks ? { ...usage, audioOutput: usage.output } : usage
}

/** All that was said, in each of several answers. */
function saidIn({ dialect }: ChatCall, { answer, passes, body }: WholeChat): AnswerPart[] {
  const each = passes && body && dialect.severalIn && separate(body, dialect.severalIn)
  if (each) return each.flatMap(one => dialect.readAnswer(one.body)?.parts ?? [])
  const { parts = [], others = [] } = answer() ?? {}
  return [...parts, ...others.flatMap(other => other.parts)]
}

function wordsOf(part: AnswerPart): string {
  if (part.type === 'tool-call') return part.name + part.input
  return 'text' in part ? part.text : ''
}
