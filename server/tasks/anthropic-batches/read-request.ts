import { crowd, isCrowded } from '../../dialects/crowded-json.ts'
import { dialects } from '../../dialects/index.ts'
import { asObject, asText, type JsonObject, parseExactly } from '../../dialects/json.ts'
import { refuseField, refuseNamed } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { leaveOutForeign } from '../../providers/kit/edits/leave-out-foreign.ts'
import { withoutDearFields, withoutOtherModels } from '../../relay/chat/dear-fields.ts'
import { inputBound } from '../../relay/counting/estimate-input.ts'
import { mostPerPicture } from '../../relay/counting/picture-sizes.ts'
import type { LineGuard } from '../../relay/guards/line-guard.ts'
import { withoutBodyTags } from '../../relay/labels/body-tags.ts'
import { hostedTools, mayAct, mayFind } from '../../relay/request/hosted-tools.ts'
import { lookAtRequest, readModel } from '../../relay/request/look-at-request.ts'
import { refuseOddNames } from '../../relay/request/odd-names.ts'
import { isDeep } from '../../relay/request/read-body.ts'
import { refuseAccountData } from '../../relay/request/refuse-account-data.ts'
import type { LineSize } from '../batches/extent.ts'

/** One request of a batch, and the most that it can use. */
export interface BatchRequest {
  readonly customId: string
  readonly model: string
  readonly params: JsonObject
  readonly size: LineSize
  /** The longest that the vendor is to keep its input. */
  readonly cacheWrites: 'minutes' | 'hour'
}

const customIds = /^[a-zA-Z0-9_-]{1,64}$/
/** What names something that the account keeps, of whomever it is; or would be charged otherwise. */
const bound = ['container', 'thread', 'mcp_servers', 'prompt_id'] as const

/** With what the operator's rules have masked in it; a rule that blocks it throws. */
export function readRequest(text: string, guard?: LineGuard): BatchRequest {
  if (isCrowded(text)) throw new AppError('relay.crowded-json', crowd)
  const request = parseExactly(text)
  if (!request || isDeep(request)) throw new AppError('relay.invalid-json')
  const { custom_id, params: given, ...others } = request
  const customId = asText(custom_id)
  if (customId === undefined || !customIds.test(customId)) refuseField('custom_id', 'field.tool-name')
  const [other] = Object.keys(others)
  if (other !== undefined) refuseNamed(other.slice(0, 100))
  const asked = asObject(given)
  if (!asked) refuseField('params', 'field.object')
  const params = fit(asked)
  const model = readModel(params.model)
  const said = guard?.mask(model, params) ? JSON.stringify(params) : text
  const outline = lookAtRequest('anthropic', { text: said, json: params }, {})
  const { media, textLength, maxOutput, thinks, cacheWrites } = outline
  if (maxOutput === undefined) refuseField('max_tokens', 'field.required')
  const input = inputBound(textLength, media, media.files.most, mostPerPicture(model))
  const size = { input, answers: 1, output: maxOutput, hasMedia: media.least > 0, thinks }
  return { customId, model, params, size, cacheWrites }
}

/**
 * Written anew, so that whoever reads it next finds what was looked at here; with the name that the upstream has for
 * the model.
 */
export function writeRequest({ params }: BatchRequest, customId: string, model: string): string {
  const to = { baseUrl: '', key: '', model, stream: false, other: '', organization: undefined }
  return JSON.stringify({
    custom_id: customId,
    params: { ...params, ...leaveOutForeign(params, to), model },
  })
}

/** Without what cannot be had at any price here, as where calls are made one by one. */
function fit(params: JsonObject): JsonObject {
  refuseOddNames(params)
  if (params.stream) refuseNamed('stream')
  const named = bound.find(name => params[name])
  if (named) refuseNamed(named)
  // Its price is that of the place, and a batch has one price.
  const { inference_geo } = params
  if (inference_geo && inference_geo !== 'global') refuseNamed('inference_geo')
  const [hosted] = hostedTools(params) ?? []
  if (hosted) refuseNamed(hosted.name)
  // What they find would be read and paid, and nobody has set anything aside for it.
  if (mayFind(params) || mayAct(params)) refuseNamed('web_fetch')
  refuseAccountData(dialects.anthropic.accountData, params)
  return {
    ...params,
    ...withoutDearFields(params, { hasToolPrice: () => false }),
    ...withoutOtherModels(params),
    ...withoutBodyTags(params),
  }
}
