import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import type { Call } from '../upstream.ts'
import { versionOf } from './check-thinking.ts'
import { refuseGemini } from './fail.ts'

/** What the documents offer to those who have no signature to give back. */
const FILLER = 'skip_thought_signature_validator'

interface Content {
  readonly role: string
  readonly parts: readonly JsonObject[]
}

export function checkContents(call: Call, body: JsonObject, model: string): void {
  const contents = asArray(body.contents).map(readContent)
  if (contents.length === 0) refuseGemini('* GenerateContentRequest.contents: contents is not specified\n')
  for (const [at, content] of contents.entries()) {
    checkContent(content, at)
    checkOrder(contents, at)
  }
  checkSignatures(call, contents, model)
}

function readContent(value: unknown): Content {
  const content = asObject(value)
  return {
    role: asText(content?.role) ?? 'user',
    parts: asArray(content?.parts).map(part => asObject(part) ?? {}),
  }
}

const DATA = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
]

function checkContent(content: Content, at: number): void {
  const where = `GenerateContentRequest.contents[${at}]`
  if (content.role !== 'user' && content.role !== 'model')
    refuseGemini('Please use a valid role: user, model.')
  if (content.parts.length === 0) refuseGemini(`* ${where}.parts: contents.parts must not be empty.\n`)
  for (const [index, part] of content.parts.entries()) {
    if (!DATA.some(name => part[name] !== undefined))
      refuseGemini(
        `* ${where}.parts[${index}].data: required oneof field 'data' must have one initialized field\n`,
      )
    const inline = asObject(part.inlineData)
    if (inline !== undefined && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(asText(inline.data) ?? ''))
      refuseGemini(
        `Invalid value at 'contents[${at}].parts[${index}].inline_data.data' (TYPE_BYTES), Base64 decoding failed for "${asText(inline.data)?.slice(0, 20)}"`,
      )
    checkCallParts(part, `${where}.parts[${index}]`)
  }
}

function checkCallParts(part: JsonObject, where: string): void {
  const called = asObject(part.functionCall)
  if (called !== undefined && !called.name)
    refuseGemini(`* ${where}.function_call.name: Name cannot be empty.\n`)
  const result = asObject(part.functionResponse)
  if (result === undefined) return
  if (!result.name) refuseGemini(`* ${where}.function_response.name: Name cannot be empty.\n`)
  if (asObject(result.response) === undefined)
    refuseGemini(
      `Invalid value at '${where}.function_response.response' (type.googleapis.com/google.protobuf.Struct)`,
    )
}

function count(content: Content | undefined, name: string): number {
  return content?.parts.filter(part => part[name] !== undefined).length ?? 0
}

function checkOrder(contents: readonly Content[], at: number): void {
  const before = contents[at - 1]
  const content = contents[at]
  if (count(content, 'functionCall') > 0 && before?.role !== 'user')
    refuseGemini(
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    )
  const calls = before?.role === 'model' ? count(before, 'functionCall') : 0
  const results = count(content, 'functionResponse')
  if (calls !== results && (calls > 0 || results > 0))
    refuseGemini(
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    )
  const called = before?.parts.map(part => asText(asObject(part.functionCall)?.name)) ?? []
  for (const part of content?.parts ?? []) {
    const name = asText(asObject(part.functionResponse)?.name)
    if (name !== undefined && !called.includes(name))
      refuseGemini(`Function response name '${name}' does not match any function call of the turn before.`)
  }
}

/** The current turn begins after the last words of the user; each step's first call in it needs its signature. */
function checkSignatures(call: Call, contents: readonly Content[], model: string): void {
  const start = contents.findLastIndex(
    content => content.role === 'user' && count(content, 'functionResponse') < content.parts.length,
  )
  for (const [at, content] of contents.entries()) {
    for (const part of content.parts) checkSignature(call, part)
    const first = content.parts.find(part => part.functionCall !== undefined)
    if (first === undefined || at < start || versionOf(model) < 3 || first.thoughtSignature !== undefined)
      continue
    const name = asText(asObject(first.functionCall)?.name)
    refuseGemini(
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${at + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
    )
  }
}

function checkSignature(call: Call, part: JsonObject): void {
  const signature = asText(part.thoughtSignature)
  if (signature === undefined || signature === FILLER) return
  const issued = call.signatures.find(signature)
  if (issued === undefined || issued.text !== signedText(part)) refuseGemini('Thought signature is not valid')
}

/** A signature belongs to its part: the call of that name, or text. */
export function signedText(part: JsonObject): string {
  const name = asText(asObject(part.functionCall)?.name)
  return name === undefined ? 'text' : `call ${name}`
}
