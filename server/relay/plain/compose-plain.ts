import { asArray, asObject, type JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { headersOf, urlOf } from '../../providers/address-request.ts'
import type { Destination, Edits, PlainEndpoint, Provider } from '../../providers/define.ts'
import { editTopLevel } from '../../providers/kit/edit-json.ts'
import type { Incoming } from '../incoming.ts'
import { outgoingHeaders } from '../outgoing-headers.ts'
import type { JsonBody } from '../read-body.ts'
import type { Attempt } from '../try-channels.ts'
import type { Outgoing } from '../upstream-call.ts'
import { writeEmbedRequest } from './convert-embeddings.ts'
import { isForm, type PlainCall } from './plain-call.ts'
import { writeMultipart } from './write-multipart.ts'

/** A request in the words of one upstream. */
export interface ComposedPlain extends Outgoing {
  readonly endpoint: PlainEndpoint
  /** Whether the answer comes in the client's own form. */
  readonly same: boolean
}

export function composePlain(
  incoming: Incoming,
  call: PlainCall,
  attempt: Attempt,
  provider: Provider,
  limit?: number | undefined,
): ComposedPlain {
  const { channel, model, key } = attempt
  const endpoint = provider[call.capability]
  if (!endpoint) throw new AppError('dialect.unsupported', { feature: call.capability })
  const baseUrl = channel.baseUrl ?? provider.baseUrl
  const to = {
    baseUrl,
    key,
    model,
    stream: call.stream,
    other: channel.other,
    organization: channel.organization,
  }
  const same = endpoint.form === call.form
  const { body } = call
  const { param_override } = channel.setting
  const boundary = isForm(body) ? `form-${crypto.randomUUID()}` : undefined
  const type = boundary && `multipart/form-data; boundary=${boundary}`
  return {
    endpoint,
    same,
    url: urlOf(endpoint, to),
    headers: outgoingHeaders(headersOf(provider, endpoint, to), attempt, incoming.request, same, type),
    body: isForm(body)
      ? writeMultipart(body, { model, ...param_override }, boundary ?? '')
      : composeJson(body, call, endpoint, to, param_override, limit),
  }
}

function composeJson(
  body: JsonBody,
  call: PlainCall,
  endpoint: PlainEndpoint,
  to: Destination,
  override: JsonObject | undefined,
  limit: number | undefined,
): string {
  if (endpoint.form !== call.form) {
    const written = writeEmbedRequest(call, endpoint.form, to.model)
    return JSON.stringify({ ...written, ...endpoint.edit?.(written, to), ...override })
  }
  const { text, json } = batched(body, call, to)
  const edits: Edits = { ...nameModel(json, call, to) }
  if (call.capability === 'completions')
    Object.assign(edits, askForUsage(call), limit !== undefined && { max_tokens: limit })
  const edited = { ...json, ...edits }
  return editTopLevel(text, { ...edits, ...endpoint.edit?.(edited, to), ...override })
}

/** The upstream takes batches only; one alone goes as a batch of one, with its text as it came. */
function batched(body: JsonBody, { form, capability, route }: PlainCall, to: Destination): JsonBody {
  if (form !== 'gemini' || capability !== 'embeddings' || route.batch) return body
  const text = `{"requests":[${editTopLevel(body.text, { model: googleName(to.model) })}]}`
  return { text, json: { requests: [body.json] } }
}

/** Where the model stands in the body, and is not what the upstream calls it. */
function nameModel(json: JsonObject, call: PlainCall, to: Destination): Edits | undefined {
  if (call.form !== 'gemini') return to.model === json.model ? undefined : { model: to.model }
  if (to.model === call.model) return undefined
  const name = googleName(to.model)
  const inner = asObject(json.generateContentRequest)
  if (inner) return { generateContentRequest: { ...inner, model: name } }
  if (!call.route.batch) return undefined
  return { requests: asArray(json.requests).map(one => ({ ...asObject(one), model: name })) }
}

function googleName(model: string): string {
  return model.startsWith('models/') ? model : `models/${model}`
}

export function wantsUsage({ fields }: PlainCall): boolean {
  return asObject(fields.stream_options)?.include_usage === true
}

function askForUsage(call: PlainCall): Edits | undefined {
  if (!call.stream || wantsUsage(call)) return undefined
  return { stream_options: { ...asObject(call.fields.stream_options), include_usage: true } }
}
