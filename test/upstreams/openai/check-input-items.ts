import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { type Call, Refusal } from '../upstream.ts'
import { openaiError, refuseOpenai } from './fail.ts'
import { storeOf } from './stored-responses.ts'

const ID_STARTS: Record<string, string> = { message: 'msg', function_call: 'fc', reasoning: 'rs' }
const USER_PARTS = ['input_text', 'input_image', 'input_file']
const ASSISTANT_PARTS = ['output_text', 'refusal']

/** Ids, order of calls and results, and what was sealed. */
export function checkInputItems(call: Call): void {
  const store = storeOf(call.signatures)
  const previous = asText(call.body.previous_response_id)
  if (previous !== undefined && !store.responses.has(previous))
    refuseOpenai(
      `Previous response with id '${previous}' not found.`,
      'previous_response_id',
      'previous_response_not_found',
    )
  const called = new Set(previous === undefined ? [] : store.responses.get(previous))
  const answered = new Set<string>()
  for (const [at, one] of asArray(call.body.input).entries()) {
    const item = asObject(one) ?? {}
    const type = asText(item.type) ?? 'message'
    checkId(item, type, at)
    if (type === 'message') checkMessage(item, at)
    if (type === 'reasoning') checkReasoning(call, item)
    if (type === 'item_reference') {
      const callId = findItem(store, asText(item.id) ?? '')
      if (callId !== undefined) called.add(callId)
    }
    const id = asText(item.call_id) ?? ''
    if (type === 'function_call') {
      if (typeof item.arguments !== 'string')
        refuseOpenai(
          `Invalid type for 'input[${at}].arguments': expected a string.`,
          `input[${at}].arguments`,
        )
      called.add(id)
    }
    if (type === 'function_call_output') {
      if (!called.has(id))
        refuseOpenai(`No tool call found for function call output with call_id ${id}.`, 'input')
      answered.add(id)
    }
  }
  for (const id of called)
    if (!answered.has(id)) refuseOpenai(`No tool output found for function call ${id}.`, 'input')
}

function findItem({ items }: ReturnType<typeof storeOf>, id: string): string | undefined {
  if (items.has(id)) return items.get(id)
  const message = `Item with id '${id}' not found.`
  throw new Refusal(message, openaiError(404, { message, type: 'invalid_request_error', param: 'input' }))
}

function checkId(item: JsonObject, type: string, at: number): void {
  const start = ID_STARTS[type]
  const id = asText(item.id)
  if (id !== undefined && start !== undefined && !id.startsWith(start))
    refuseOpenai(
      `Invalid 'input[${at}].id': '${id}'. Expected an ID that begins with '${start}'.`,
      `input[${at}].id`,
      'invalid_value',
    )
}

function checkMessage(item: JsonObject, at: number): void {
  const role = asText(item.role) ?? ''
  if (!['user', 'assistant', 'system', 'developer'].includes(role))
    refuseOpenai(
      `Invalid value: '${role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`,
      `input[${at}].role`,
      'invalid_value',
    )
  if (typeof item.content !== 'string' && !Array.isArray(item.content))
    refuseOpenai(
      `Missing required parameter: 'input[${at}].content'.`,
      `input[${at}].content`,
      'missing_required_parameter',
    )
  const allowed = role === 'assistant' ? ASSISTANT_PARTS : USER_PARTS
  for (const [index, part] of asArray(item.content).entries()) {
    const type = asText(asObject(part)?.type) ?? ''
    if (allowed.includes(type)) continue
    refuseOpenai(
      `Invalid value: '${type}'. Supported values are: ${allowed.map(name => `'${name}'`).join(', ')}.`,
      `input[${at}].content[${index}]`,
      'invalid_value',
    )
  }
}

function checkReasoning(call: Call, item: JsonObject): void {
  const sealed = asText(item.encrypted_content)
  if (sealed === undefined) {
    if (storeOf(call.signatures).items.has(asText(item.id) ?? '')) return
    const message = `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`
    throw new Refusal(message, openaiError(404, { message, type: 'invalid_request_error', param: 'input' }))
  }
  if (call.signatures.find(sealed) === undefined)
    refuseOpenai(
      `The encrypted content ${sealed.slice(0, 8)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
      null,
      'invalid_encrypted_content',
    )
}
