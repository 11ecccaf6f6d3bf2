import { anthropic } from './anthropic/index.ts'
import type { Dialect } from './dialect.ts'
import { gemini } from './gemini/index.ts'
import { geminiInteractions } from './gemini-interactions/index.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'
import type { DialectName } from './spec.ts'

export const dialects: Record<DialectName, Dialect> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  'gemini-interactions': geminiInteractions,
}
