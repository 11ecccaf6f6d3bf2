import { type JsonObject, parseObject } from '../json.ts'
import { writeLogprobs } from '../logprobs.ts'
import type { CitationPart, MediaOutPart, TokenLogprob } from '../spec.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export function buildMessage(id: string, status: ItemStatus, content: JsonObject[]): JsonObject {
  return { id, type: 'message', status, role: 'assistant', content }
}

export function buildText(
  text: string,
  annotations: JsonObject[],
  logprobs: readonly TokenLogprob[] = [],
): JsonObject {
  return { type: 'output_text', text, annotations, logprobs: writeLogprobs(logprobs) }
}

export function buildRefusal(refusal: string): JsonObject {
  return { type: 'refusal', refusal }
}

/** Clients count on all fields; without its place, a citation is of the whole text so far. */
export function buildAnnotation(citation: CitationPart, textLength: number): JsonObject {
  return {
    type: 'url_citation',
    url: citation.url,
    title: citation.title ?? '',
    start_index: citation.start ?? 0,
    end_index: citation.end ?? textLength,
  }
}

/** Which call of which tool, in the client's words. */
export interface CallNames {
  readonly callId: string
  readonly name: string
  readonly namespace?: string | undefined
}

export function buildCall(
  id: string,
  status: ItemStatus,
  { callId, name, namespace }: CallNames,
  json: string,
): JsonObject {
  return { id, type: 'function_call', status, call_id: callId, name, namespace, arguments: json }
}

/** A call of a tool that takes a text. */
export function buildCustomCall(
  id: string,
  status: ItemStatus,
  { callId, name, namespace }: CallNames,
  input: string,
): JsonObject {
  return { id, type: 'custom_tool_call', status, call_id: callId, name, namespace, input }
}

/** The client is to look for tools that it has not told of. */
export function buildToolSearch(
  id: string,
  status: ItemStatus,
  { callId }: CallNames,
  json: string,
): JsonObject {
  return {
    id,
    type: 'tool_search_call',
    status,
    call_id: callId,
    execution: 'client',
    arguments: parseObject(json) ?? {},
  }
}

export function buildReasoning(id: string, text: string, sealed: string | undefined): JsonObject {
  const item: JsonObject = {
    id,
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
  }
  if (sealed !== undefined) item.encrypted_content = sealed
  return item
}

/** Sounds have no item in this dialect. */
export function buildImage(id: string, media: MediaOutPart): JsonObject | undefined {
  if (!media.mediaType.startsWith('image/')) return undefined
  return {
    id,
    type: 'image_generation_call',
    status: 'completed',
    output_format: media.mediaType.slice('image/'.length),
    result: media.data,
  }
}
