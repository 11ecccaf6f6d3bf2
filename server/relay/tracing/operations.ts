import type { PlainCapability } from '../../providers/define.ts'
import type { Route } from '../request/match-route.ts'

/** What a call is, in the words of OpenTelemetry's conventions where they have one. */
export interface Operation {
  readonly name: string
  /** What is to come of it, where that is no text. */
  readonly output?: 'image' | 'speech' | undefined
}

const plain: Record<PlainCapability, Operation> = {
  completions: { name: 'text_completion' },
  embeddings: { name: 'embeddings' },
  images: { name: 'generate_content', output: 'image' },
  'image-edits': { name: 'generate_content', output: 'image' },
  speech: { name: 'generate_content', output: 'speech' },
  transcriptions: { name: 'transcription' },
  translations: { name: 'translation' },
  moderations: { name: 'moderation' },
  rerank: { name: 'rerank' },
  'count-tokens': { name: 'count_tokens' },
  search: { name: 'search' },
  'web-search': { name: 'search' },
  ocr: { name: 'ocr' },
}
const realtime: Operation = { name: 'realtime' }
const passing: Operation = { name: 'pass_through' }
const chat: Operation = { name: 'chat' }
const generate: Operation = { name: 'generate_content' }

/** Undefined for what calls no model: lists of models, balances, addresses that nobody serves. */
export function operationOf(route: Route | undefined): Operation | undefined {
  switch (route?.kind) {
    case 'chat':
      return route.dialect.startsWith('gemini') ? generate : chat
    case 'plain':
      return plain[route.capability]
    case 'realtime':
      return realtime
    case 'pass':
      return passing
    default:
      return undefined
  }
}

const SEARCH = '/v1/search/'
const named = /^(\/(?:v1beta|v1)\/(?:models|engines)\/).*((?::|%3[Aa])[a-zA-Z]+|\/embeddings)$/

const passed = /^\/pass\/.*$/s

/** The address with a name in the place of what varies. */
export function templateOf(path: string): string {
  if (passed.test(path)) return '/pass/{service}/{path}'
  if (path.startsWith(SEARCH)) return `${SEARCH}{model}`
  return path.replace(named, (_whole, before: string, after: string) => {
    const verb = after.replace(/^%3a/i, ':')
    return `${before}{model}${verb}`
  })
}
