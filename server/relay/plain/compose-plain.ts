import { asArray, asObject, type JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import { headersOf, signerOf, urlOf } from '../../providers/address-request.ts'
import { choosePlainEndpoint } from '../../providers/choose-endpoint.ts'
import type { Destination, Edits, PlainEndpoint, Provider } from '../../providers/define.ts'
import { editTopLevel } from '../../providers/kit/edits/edit-json.ts'
import { withoutChosenVendors, withoutDearFields, withoutOtherModels } from '../chat/dear-fields.ts'
import { withoutBodyTags } from '../labels/body-tags.ts'
import { OverrideRun } from '../override/override-run.ts'
import type { Incoming } from '../request/incoming.ts'
import { mayNameModelTwice } from '../request/odd-names.ts'
import { textsIn } from '../request/parse-multipart.ts'
import type { JsonBody } from '../request/read-body.ts'
import { refuseAccountData } from '../request/refuse-account-data.ts'
import { writeMultipart } from '../request/write-multipart.ts'
import type { Outgoing } from '../upstream/outgoing.ts'
import { outgoingHeaders, overrideHeaders } from '../upstream/outgoing-headers.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import { accountDataIn, namedInForm } from './account-data.ts'
import { writeEmbedRequest } from './convert-embeddings.ts'
import { dialectOf } from './dialect-of.ts'
import { editForm } from './edit-form.ts'
import { formAsJson } from './form-as-json.ts'
import { isForm, makesPictures, type PlainCall, soundOf } from './plain-call.ts'

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
  const baseUrl = channel.baseUrl ?? provider.baseUrl
  const to = {
    baseUrl,
    key,
    model,
    stream: call.stream,
    other: channel.other,
    organization: channel.organization,
  }
  const endpoint = choosePlainEndpoint(provider, call.capability, to)
  if (!endpoint) refuseNamed(call.capability)
  const find = accountDataIn(call)
  if (find) refuseAccountData(find, isForm(call.body) ? namedInForm(call.body) : call.fields, channel.setting)
  const same = endpoint.form === call.form
  const { operations, param_override, allow_service_tier } = channel.setting
  const run =
    operations &&
    new OverrideRun(operations, { model, askedModel: call.model, isLimited: isLimited(call, limit) })
  const override = { merged: param_override, run, allowsDear: allow_service_tier }
  const { body, type } = composeBody(call, endpoint, to, override, limit)
  const { request } = incoming
  const headers = outgoingHeaders(headersOf(provider, endpoint, to), attempt, request, same, type)
  return {
    endpoint,
    same,
    url: urlOf(endpoint, to),
    headers: overrideHeaders(headers, run, attempt, request),
    body,
    to,
    signer: signerOf(provider, endpoint),
    readProblem: endpoint.readProblem ?? dialectOf[endpoint.form].readProblem,
  }
}

/** What the operator wants otherwise: put in as it is, or done to the request. */
interface Override {
  readonly merged: JsonObject | undefined
  readonly run: OverrideRun | undefined
  /** What has no price here passes. */
  readonly allowsDear: boolean | undefined
}

function isLimited({ capability, fields }: PlainCall, limit: number | undefined): boolean {
  return limit !== undefined || (capability === 'completions' && fields.max_tokens !== undefined)
}

function composeBody(
  call: PlainCall,
  endpoint: PlainEndpoint,
  to: Destination,
  override: Override,
  limit: number | undefined,
): { body: Outgoing['body']; type?: string | undefined } {
  const { body, fields } = call
  if (!isForm(body)) return { body: composeJson(body, call, endpoint, to, override, limit) }
  // Subtitles cannot be made of words alone.
  if (endpoint.convert && (fields.response_format === 'srt' || fields.response_format === 'vtt'))
    refuseNamed('response_format', fields.response_format)
  const named = { ...fields, model: to.model }
  if (endpoint.convert?.writeSound)
    return endpoint.convert.writeSound(soundOf(call), override.run?.run(named) ?? named, to)
  if (endpoint.convert && makesPictures(call.capability))
    return { body: composeOther({ ...call, fields: formAsJson(call, body) }, endpoint, to, override) }
  const boundary = `form-${crypto.randomUUID()}`
  const { form, edits: own } = editForm(body, override.allowsDear)
  const edits: Edits = { ...own, model: to.model, ...askForLength(call), ...override.merged }
  const more = override.run?.edits({ ...textsIn(form), ...edits })
  const gone = new Set(Object.keys(more ?? {}).filter(name => more?.[name] === undefined))
  const parts = gone.size === 0 ? form.parts : form.parts.filter(({ name }) => !gone.has(name))
  return {
    body: writeMultipart({ ...form, parts }, { ...edits, ...more }, boundary),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

/** The format of a transcript that is nothing but what was said. */
export const WORDS = 'text'

/** Words alone do not tell how long the sound was that they are paid by: JSON does, and they can be taken from it. */
function askForLength({ fields, stream }: PlainCall): Edits | undefined {
  return fields.response_format === WORDS && !stream ? { response_format: 'json' } : undefined
}

function composeJson(
  body: JsonBody,
  call: PlainCall,
  endpoint: PlainEndpoint,
  to: Destination,
  override: Override,
  limit: number | undefined,
): string {
  if (endpoint.form !== call.form || endpoint.convert) return composeOther(call, endpoint, to, override)
  const { merged, run, allowsDear } = override
  const { text, json } = batched(body, call, to)
  const edits: Edits = {
    ...nameModel({ text, json }, call, to),
    ...withoutOtherModels(json),
    ...withoutBodyTags(json),
    ...(allowsDear ? {} : withoutDear(call, json)),
  }
  // Some programs say so that they want the usual one; many vendors take it for a wrong one.
  if (call.capability === 'embeddings' && json.encoding_format === null) edits.encoding_format = undefined
  if (call.capability === 'completions')
    Object.assign(edits, askForUsage(call), limit !== undefined && { max_tokens: limit })
  Object.assign(edits, endpoint.edit?.({ ...json, ...edits }, to), merged)
  return editTopLevel(text, run ? { ...edits, ...run.edits({ ...json, ...edits }) } : edits)
}

/** In other words than the client's. */
function composeOther(
  call: PlainCall,
  endpoint: PlainEndpoint,
  to: Destination,
  { merged, run }: Override,
): string {
  const asked =
    endpoint.form === call.form
      ? { ...call.fields, model: to.model }
      : writeEmbedRequest(call, endpoint.form, to.model)
  const written = endpoint.convert?.writeRequest(asked, to) ?? asked
  const edited = { ...written, ...endpoint.edit?.(written, to), ...merged }
  return JSON.stringify(run ? run.run(edited) : edited)
}

/** Gateways take for a completion what they take for a chat; of searches it tells nothing. */
function withoutDear({ capability }: PlainCall, json: JsonObject): Edits | undefined {
  if (capability !== 'completions') return withoutChosenVendors(json.provider)
  const edits = withoutDearFields(json, { hasToolPrice: () => false })
  return json.web_search_options === undefined ? edits : { ...edits, web_search_options: undefined }
}

/** The upstream takes batches only; one alone goes as a batch of one, with its text as it came. */
function batched(body: JsonBody, { form, capability, route }: PlainCall, to: Destination): JsonBody {
  if (form !== 'gemini' || capability !== 'embeddings' || route.batch) return body
  const text = `{"requests":[${editTopLevel(body.text, { model: googleName(to.model) })}]}`
  return { text, json: { requests: [body.json] } }
}

/** Where the model stands in the body, and is not what the upstream calls it. */
function nameModel({ text, json }: JsonBody, call: PlainCall, to: Destination): Edits | undefined {
  if (call.form !== 'gemini')
    return to.model === json.model && !mayNameModelTwice(text) ? undefined : { model: to.model }
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
