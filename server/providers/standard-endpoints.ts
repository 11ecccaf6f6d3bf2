import type { TranslatedDialect } from '../dialects/spec.ts'
import type { ChatEndpoint, Destination } from './define.ts'
import { anthropicChat } from './kit/families/anthropic-family.ts'
import { geminiChat } from './kit/families/gemini-family.ts'
import { openaiChat, openaiResponses } from './kit/families/openai-family.ts'
import { bearer, headerKey } from './kit/keys/credentials.ts'
import { fillModel } from './kit/url.ts'

/** Where each dialect is spoken, and how a key is shown there, unless a provider says otherwise. */
export const standardEndpoints: Readonly<Record<TranslatedDialect, ChatEndpoint>> = {
  'openai-chat': { ...openaiChat({ asksForUsage: true }), credential: bearer() },
  'openai-responses': { ...openaiResponses({ worksInBackground: true }), credential: bearer() },
  anthropic: { ...anthropicChat(), credential: headerKey('x-api-key') },
  gemini: { ...geminiChat(), credential: headerKey('x-goog-api-key') },
}

/** The same, when the operator's URL is the whole address. */
export const wholeEndpoints: Readonly<Record<TranslatedDialect, ChatEndpoint>> = {
  'openai-chat': { ...standardEndpoints['openai-chat'], path: wholePath },
  'openai-responses': { ...standardEndpoints['openai-responses'], path: wholePath },
  anthropic: { ...standardEndpoints.anthropic, path: wholePath },
  gemini: { ...standardEndpoints.gemini, path: geminiPath },
}

function wholePath(to: Destination): string {
  return fillModel(to.baseUrl, to.model)
}

const PLAIN_METHOD = ':generateContent'

/** In Gemini's dialect the address says whether to stream. */
function geminiPath(to: Destination): string {
  const url = wholePath(to)
  if (!to.stream || !url.endsWith(PLAIN_METHOD)) return url
  return `${url.slice(0, -PLAIN_METHOD.length)}:streamGenerateContent?alt=sse`
}
