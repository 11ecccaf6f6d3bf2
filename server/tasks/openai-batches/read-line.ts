import { crowd, isCrowded } from '../../dialects/crowded-json.ts'
import { dialects } from '../../dialects/index.ts'
import { asObject, asText, type JsonObject, parseExactly } from '../../dialects/json.ts'
import { filesNamedIn } from '../../dialects/openai-files.ts'
import { namedItems } from '../../dialects/openai-responses/stored-items.ts'
import { refuseChoice, refuseField, refuseNamed } from '../../dialects/refuse.ts'
import { AppError } from '../../errors.ts'
import { withoutDearFields, withoutOtherModels } from '../../relay/chat/dear-fields.ts'
import { inputBound } from '../../relay/counting/estimate-input.ts'
import { mostPerPicture } from '../../relay/counting/picture-sizes.ts'
import type { LineGuard } from '../../relay/guards/line-guard.ts'
import { countChoices } from '../../relay/plain/check-fields.ts'
import { requireInput } from '../../relay/plain/read-fields.ts'
import { hostedTools } from '../../relay/request/hosted-tools.ts'
import { lookAtRequest, readCount, readModel } from '../../relay/request/look-at-request.ts'
import { refuseOddNames } from '../../relay/request/odd-names.ts'
import { isDeep } from '../../relay/request/read-body.ts'
import { refuseAccountData } from '../../relay/request/refuse-account-data.ts'
import type { LineSize } from '../batches/extent.ts'

/** Where the requests of a batch may go. */
export const endpoints = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/completions',
  '/v1/embeddings',
] as const
export type Endpoint = (typeof endpoints)[number]

/** One request of a batch, and the most that it can use. */
export interface Line {
  readonly customId: string
  readonly url: Endpoint
  readonly model: string
  readonly body: JsonObject
  readonly size: LineSize
}

/** What names something that the account keeps, of whomever it is; or is not over when it is answered. */
const bound = ['background', 'conversation', 'previous_response_id', 'prompt'] as const
const LONGEST_ID = 512

/** With what the operator's rules have masked in it; a rule that blocks it throws. */
export function readLine(text: string, guard?: LineGuard): Line {
  if (isCrowded(text)) throw new AppError('relay.crowded-json', crowd)
  const line = parseExactly(text)
  if (!line || isDeep(line)) throw new AppError('relay.invalid-json')
  const customId = asText(line.custom_id)
  if (!customId || customId.length > LONGEST_ID)
    refuseField('custom_id', 'field.text-within', { most: LONGEST_ID })
  if (line.method !== 'POST') refuseChoice('method', ['POST'])
  const url = endpoints.find(one => one === line.url)
  if (!url) refuseChoice('url', endpoints)
  const given = asObject(line.body)
  if (!given) refuseField('body', 'field.object')
  const body = fit(url, given)
  const model = readModel(body.model)
  const said = guard?.mask(model, body) ? JSON.stringify(body) : text
  return { customId, url, model, body, size: measure(url, model, said, body) }
}

/**
 * Written anew, so that whoever reads it next finds what was looked at here; with the name that the upstream has for
 * the model.
 */
export function writeLine({ customId, url, body }: Line, model: string): string {
  return `${JSON.stringify({ custom_id: customId, method: 'POST', url, body: { ...body, model } })}\n`
}

/** Without what cannot be had at any price here, as where calls are made one by one. */
function fit(url: Endpoint, body: JsonObject): JsonObject {
  refuseOddNames(body)
  if (body.stream) refuseNamed('stream')
  const [hosted] = hostedTools(body) ?? []
  if (hosted) refuseNamed(hosted.name)
  // Nobody would put in what it names.
  if (body.prompt_id) refuseNamed('prompt_id')
  if (url === '/v1/responses') {
    const named =
      bound.find(name => body[name]) ?? (namedItems(body).length > 0 ? 'item_reference' : undefined)
    if (named) refuseNamed(named)
  }
  const [file] = filesNamedIn(body).wanted
  if (file !== undefined) refuseNamed('file_id')
  // Whichever channel gets the file: what it names would be read when nobody looks any more.
  if (url === '/v1/responses') refuseAccountData(dialects['openai-responses'].accountData, body)
  if (url === '/v1/chat/completions') refuseAccountData(dialects['openai-chat'].accountData, body)
  return { ...body, ...withoutDearFields(body, { hasToolPrice: () => false }), ...withoutOtherModels(body) }
}

function measure(url: Endpoint, model: string, text: string, body: JsonObject): LineSize {
  const bytes = Buffer.byteLength(text)
  const plain = { input: bytes, hasMedia: false, thinks: false }
  switch (url) {
    case '/v1/embeddings':
      requireInput('input', body.input)
      return { ...plain, answers: 1, output: 0 }
    case '/v1/completions':
      return { ...plain, answers: countChoices(body), output: readCount('max_tokens', body.max_tokens) }
    default: {
      const dialect = url === '/v1/responses' ? 'openai-responses' : 'openai-chat'
      const { media, textLength, choices, maxOutput, thinks, speaks } = lookAtRequest(
        dialect,
        { text, json: body },
        {},
      )
      return {
        input: inputBound(textLength, media, media.files.most, mostPerPicture(model)),
        answers: choices,
        output: maxOutput,
        hasMedia: media.least > 0 || speaks,
        thinks,
      }
    }
  }
}
