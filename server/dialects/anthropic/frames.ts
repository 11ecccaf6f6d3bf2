import type { JsonObject } from '../json.ts'
import type { Signature } from '../spec.ts'
import { encodeCallId, encodeSignature } from './foreign-signature.ts'

// The frames of a stream, one function each. Text frames are put together by hand: they are the many.

export const PING = 'event: ping\ndata: {"type": "ping"}\n\n'
export const MESSAGE_STOP = 'event: message_stop\ndata: {"type":"message_stop"}\n\n'

export function frameMessageStart(message: JsonObject): string {
  return `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message })}\n\n`
}

export function frameMessageDelta(delta: JsonObject, usage: JsonObject): string {
  return `event: message_delta\ndata: ${JSON.stringify({ type: 'message_delta', delta, usage })}\n\n`
}

export function frameTextStart(index: number): string {
  return frameStart(index, '{"type":"text","text":""}')
}

export function frameThinkingStart(index: number): string {
  return frameStart(index, '{"type":"thinking","thinking":"","signature":""}')
}

export function frameSealedStart(index: number, signature: Signature): string {
  return frameStart(
    index,
    `{"type":"redacted_thinking","data":${JSON.stringify(encodeSignature(signature))}}`,
  )
}

export function frameCallStart(
  index: number,
  call: { readonly id: string; readonly name: string; readonly signature?: Signature | undefined },
): string {
  const id = JSON.stringify(encodeCallId(call.id, call.signature))
  return frameStart(index, `{"type":"tool_use","id":${id},"name":${JSON.stringify(call.name)},"input":{}}`)
}

export function frameText(index: number, text: string): string {
  return frameDelta(index, `{"type":"text_delta","text":${JSON.stringify(text)}}`)
}

export function frameThinking(index: number, text: string): string {
  return frameDelta(index, `{"type":"thinking_delta","thinking":${JSON.stringify(text)}}`)
}

export function frameSignature(index: number, signature: Signature | undefined): string {
  const value = JSON.stringify(encodeSignature(signature))
  return frameDelta(index, `{"type":"signature_delta","signature":${value}}`)
}

export function frameInput(index: number, json: string): string {
  return frameDelta(index, `{"type":"input_json_delta","partial_json":${JSON.stringify(json)}}`)
}

export function frameCitation(index: number, citation: JsonObject): string {
  return frameDelta(index, `{"type":"citations_delta","citation":${JSON.stringify(citation)}}`)
}

export function frameBlockStop(index: number): string {
  return `event: content_block_stop\ndata: {"type":"content_block_stop","index":${index}}\n\n`
}

function frameStart(index: number, block: string): string {
  return `event: content_block_start\ndata: {"type":"content_block_start","index":${index},"content_block":${block}}\n\n`
}

function frameDelta(index: number, delta: string): string {
  return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":${delta}}\n\n`
}
