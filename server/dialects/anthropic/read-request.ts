import type { JsonObject } from '../json.ts'
import { previousAnswer } from '../previous-answer.ts'
import { refuseField, refuseNamed } from '../refuse.ts'
import type { NeutralRequest } from '../spec.ts'
import {
  isAbsent,
  readOptionalArray,
  readOptionalFlag,
  readOptionalObject,
  readOptionalShare,
  readOptionalText,
  readWhole,
} from './read-fields.ts'
import { readMessages, readSystem } from './read-messages.ts'
import { readFormat, readReasoning } from './read-reasoning.ts'
import { readTools } from './read-tools.ts'

/**
 * Lost on the way to another dialect, because an answer is right without it: how fast it is to be (`speed`), what
 * the vendor may forget of a long conversation (`context_management`), how much a task may take (`task_budget`),
 * why its cache had nothing (`diagnostics`), what a refusal by another of its models is worth
 * (`fallback_credit_token`), that a conversation be kept (`thread`), and the wish for citations. Where it may be made
 * is no such thing, nor is what is kept of it already, nor that it only be made shorter.
 */
export function readRequest(
  body: JsonObject,
  path: { readonly model?: string; readonly stream?: boolean },
): NeutralRequest {
  if (!isAbsent(body.container)) refuseNamed('container')
  if (!isAbsent(body.inference_geo) && body.inference_geo !== 'global') refuseNamed('inference_geo')
  if (readOptionalArray(body, 'mcp_servers', '').length > 0) refuseNamed('mcp_servers')
  if (previousAnswer(body) !== undefined) refuseNamed('thread')
  if (!isAbsent(body.compaction)) refuseNamed('compaction')
  // Which fills its vendor's cache, and asks for no answer.
  if (body.max_tokens === 0) refuseNamed('max_tokens', 0)
  return {
    model: readModel(body, path.model),
    stream: path.stream ?? readOptionalFlag(body, 'stream', '') ?? false,
    system: readSystem(body.system),
    messages: readMessages(body),
    ...readTools(body),
    temperature: readOptionalShare(body, 'temperature'),
    topP: readOptionalShare(body, 'top_p'),
    topK: isAbsent(body.top_k) ? undefined : readWhole(body, 'top_k', 0),
    stop: readStop(body),
    maxOutput: readWhole(body, 'max_tokens', 1),
    reasoning: readReasoning(body),
    format: readFormat(body),
    user: readUser(body),
    serviceTier: readOptionalText(body, 'service_tier', ''),
  }
}

function readModel(body: JsonObject, inPath: string | undefined): string {
  const model = inPath ?? readOptionalText(body, 'model', '')
  if (model === undefined || model === '') refuseField('model', 'field.text')
  return model
}

function readStop(body: JsonObject): readonly string[] | undefined {
  if (isAbsent(body.stop_sequences)) return undefined
  return readOptionalArray(body, 'stop_sequences', '').map(stop => {
    if (typeof stop !== 'string') refuseField('stop_sequences', 'field.strings')
    return stop
  })
}

function readUser(body: JsonObject): string | undefined {
  const metadata = readOptionalObject(body, 'metadata', '')
  return metadata === undefined ? undefined : readOptionalText(metadata, 'user_id', 'metadata.')
}
