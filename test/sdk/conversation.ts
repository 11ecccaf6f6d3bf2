import type { TranslatedDialect } from '../../server/dialects/spec.ts'

/** What a test wants to say, whatever SDK says it. */
export interface Conversation {
  readonly system?: string
  readonly turns: readonly Turn[]
  readonly tools?: readonly ToolOffer[]
  readonly choice?: 'none' | 'required' | { readonly name: string }
  readonly oneCallAtMost?: boolean
  readonly think?: boolean
  readonly schema?: Record<string, unknown>
  readonly stop?: string
  readonly maxTokens?: number
}

export type Turn =
  | { readonly user: string; readonly image?: Image }
  | { readonly assistant: string }
  /** What was said before, as its SDK gave it. */
  | { readonly said: Said }
  | { readonly results: readonly { readonly of: Called; readonly text: string }[] }

export type Image = { readonly base64: string } | { readonly url: string }

export interface ToolOffer {
  readonly name: string
  readonly description: string
  readonly schema: Record<string, unknown>
}

export interface Called {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** What came back, as the SDK understood it. */
export interface Said {
  readonly text: string
  readonly thinking: string
  readonly calls: readonly Called[]
  /** In the client's own words. */
  readonly finish: string
  readonly usage: Told
  readonly requestId: string
}

/** Tokens: all input with what was cached of it, all output with what was thought of it. */
export interface Told {
  readonly input: number
  readonly cached: number
  readonly output: number
  readonly reasoning: number
}

export interface Client {
  readonly dialect: TranslatedDialect
  readonly finishes: Readonly<Record<'stop' | 'stopString' | 'length' | 'tools', string>>
  ask(model: string, conversation: Conversation, stream: boolean): Promise<Said>
  /** Resolves when the next answer begins. */
  answering(): Promise<unknown>
}

interface Recorder extends Pick<Client, 'answering'> {
  readonly fetch: typeof fetch
  last(): string
}

/** Every answer names its request, and that is how the books are found. */
export function recordIds(): Recorder {
  let id = ''
  let next = Promise.withResolvers<void>()
  const recording = async (input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init)
    id = response.headers.get('x-oneapi-request-id') ?? ''
    next.resolve()
    next = Promise.withResolvers()
    return response
  }
  return {
    fetch: Object.assign(recording, { preconnect: fetch.preconnect }),
    last: () => id,
    answering: () => next.promise,
  }
}

/** What an SDK gave for an answer, in the form in which it goes back. */
export class Natives<Native> {
  readonly #kept = new WeakMap<Said, Native>()

  keep(said: Said, native: Native): Said {
    this.#kept.set(said, native)
    return said
  }

  of(said: Said): Native {
    const native = this.#kept.get(said)
    if (native === undefined) throw new Error('another SDK said that')
    return native
  }
}

export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
