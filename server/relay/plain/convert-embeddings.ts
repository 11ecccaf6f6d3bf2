import {
  type EmbedRequest,
  readOpenaiEmbed,
  readOpenaiEmbedAnswer,
  writeOpenaiEmbed,
  writeOpenaiEmbedAnswer,
} from '../../dialects/embeddings.ts'
import {
  readGeminiEmbed,
  readGeminiEmbedAnswer,
  writeGeminiEmbed,
  writeGeminiEmbedAnswer,
} from '../../dialects/gemini/embeddings.ts'
import { asArray, asObject, type JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import type { PlainEndpoint } from '../../providers/define.ts'
import type { PlainCall } from './plain-call.ts'

type Vectors = readonly (readonly number[])[]

function readRequest({ form, fields, model, route }: PlainCall): EmbedRequest {
  return form === 'gemini'
    ? readGeminiEmbed(fields, { model }, route.batch === true)
    : readOpenaiEmbed({ ...fields, model })
}

/** The request for an upstream of the other form. */
export function writeEmbedRequest(call: PlainCall, form: PlainEndpoint['form'], model: string): JsonObject {
  if (call.capability !== 'embeddings') refuseNamed(call.capability)
  const request = readRequest(call)
  return form === 'gemini' ? writeGeminiEmbed(request, model) : writeOpenaiEmbed(request, model)
}

/** The vectors of an upstream's answer; undefined when they are not one to each input. */
export function readVectors(
  call: PlainCall,
  form: PlainEndpoint['form'],
  body: JsonObject,
): Vectors | undefined {
  const vectors = form === 'gemini' ? readGeminiEmbedAnswer(body) : readOpenaiEmbedAnswer(body)
  return vectors?.length === readRequest(call).inputs.length ? vectors : undefined
}

/** The answer as the client wants it. */
export function writeEmbedAnswer(call: PlainCall, vectors: Vectors, usage: TokenUsage): JsonObject {
  if (call.form === 'gemini') return writeGeminiEmbedAnswer(vectors, call.route.batch === true)
  return writeOpenaiEmbedAnswer(vectors, {
    model: call.model,
    usage,
    base64: call.fields.encoding_format === 'base64',
  })
}

/** Some upstreams ignore in which form the vectors are wanted. Undefined when they are in it. */
export function mendEncoding({ fields }: PlainCall, body: JsonObject): JsonObject | undefined {
  const { encoding_format } = fields
  if (encoding_format !== 'base64' && encoding_format !== 'float') return undefined
  const wantsText = encoding_format === 'base64'
  const [first] = asArray(body.data)
  if ((typeof asObject(first)?.embedding === 'string') === wantsText) return undefined
  const vectors = readOpenaiEmbedAnswer(body)
  if (!vectors) return undefined
  const { data } = writeOpenaiEmbedAnswer(vectors, {
    model: '',
    usage: { input: 0, output: 0 },
    base64: wantsText,
  })
  return { data }
}
