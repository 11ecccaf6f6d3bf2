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

/** The model, or the agent, is named in the body; what is made is asked after under the same address. */
export function geminiInteractions(): ChatEndpoint {
  return {
    dialect: 'gemini-interactions',
    path: () => '/v1/interactions',
    edit: ({ model }, to) =>
      model === to.model && model !== bareName(to) ? { model: bareName(to) } : undefined,
    worksInBackground: true,
  }
}

export function geminiPlain(method: 'batchEmbedContents' | 'countTokens'): PlainEndpoint {
  return { form: 'gemini', path: to => modelPath(to, method) }
}

/** Google lists its models as `models/…`; operators paste them so. */
export function modelPath(to: Destination, method: string): string {
  return `/v1beta/models/${encodeSegment(bareName(to))}:${method}`
}

function bareName({ model }: Destination): string {
  return model.startsWith('models/') ? model.slice('models/'.length) : model
}
