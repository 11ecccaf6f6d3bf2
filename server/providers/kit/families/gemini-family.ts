import type { ChatEndpoint, Destination, PlainEndpoint } from '../../define.ts'
import { signCalls } from '../keys/sign-calls.ts'
import { encodeSegment } from '../url.ts'

export function geminiChat(): ChatEndpoint {
  return {
    dialect: 'gemini',
    inlinesMedia: true,
    path: to => modelPath(to, to.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'),
    edit: signCalls,
  }
}

export function geminiPlain(method: 'batchEmbedContents' | 'countTokens'): PlainEndpoint {
  return { form: 'gemini', path: to => modelPath(to, method) }
}

/** Google lists its models as `models/…`; operators paste them so. */
export function modelPath(to: Destination, method: string): string {
  const name = to.model.startsWith('models/') ? to.model.slice('models/'.length) : to.model
  return `/v1beta/models/${encodeSegment(name)}:${method}`
}
