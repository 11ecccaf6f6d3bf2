import type { Asked, Dialect } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/index.ts'
import type { JsonObject } from '../../dialects/json.ts'
import type { DialectName, NeutralRequest } from '../../dialects/spec.ts'
import { roughInput } from '../counting/estimate-input.ts'
import type { Outline } from '../request/look-at-request.ts'
import type { ChatRoute } from '../request/match-route.ts'
import { type JsonBody, readExactly } from '../request/read-body.ts'

const objectCalls: ReadonlySet<DialectName> = new Set(['anthropic', 'gemini', 'gemini-interactions'])

/** A chat request as its client sent it: the same for every attempt at a model. */
export class ChatCall {
  readonly route: ChatRoute
  readonly dialect: Dialect
  readonly body: JsonBody
  readonly outline: Outline
  /** The model that is asked for: as the client named it, or a fallback. */
  model: string
  /** How many tokens each answer may have, where the caller's money allows no more. */
  limit: number | undefined
  #neutral: NeutralRequest | undefined
  #withMedia: Promise<NeutralRequest> | undefined

  constructor(route: ChatRoute, body: JsonBody, outline: Outline) {
    this.route = route
    this.dialect = dialects[route.dialect]
    // Arguments of tool calls are objects in these dialects: where a body is edited, large numbers in them must survive.
    this.body = objectCalls.has(route.dialect) ? readExactly(body) : body
    this.outline = outline
    this.model = outline.model
  }

  get json(): JsonObject {
    return this.body.json
  }

  /** The request in neutral form: read when a channel first needs it, and once. */
  neutral(): NeutralRequest {
    this.#neutral ??= this.dialect.readRequest(readExactly(this.body).json, this.route)
    return this.#neutral
  }

  /** The same with its media inside; fetched once, however many channels are asked. */
  withMedia(inline: (request: NeutralRequest) => Promise<NeutralRequest>): Promise<NeutralRequest> {
    this.#withMedia ??= inline(this.neutral())
    return this.#withMedia
  }

  asked(): Asked {
    const { model, outline } = this
    return { model, request: this.neutral(), estimatedInput: roughInput(outline.textLength) }
  }
}
