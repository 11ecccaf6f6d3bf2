import { asObject, asText, type Json, type JsonObject } from '../json.ts'
import { refuseField, refuseNamed, refuseValue } from '../refuse.ts'
import type { CacheMark, FilePart, ImagePart, Media, Part, TextPart, ToolResultPart } from '../spec.ts'
import { decodeCallId, decodeSignature, readSealed } from './foreign-signature.ts'
import { isAbsent, readObject, readOptionalFlag, readOptionalText, readText } from './read-fields.ts'

/** Names of the calls read so far, by id: results tell the id only. */
export type CallNames = Map<string, string>

export function readContent(content: Json | undefined, at: string, names: CallNames): readonly Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (!Array.isArray(content)) refuseField(at, 'field.string-or-list')
  return content.flatMap((block, index) => readBlock(block, `${at}.${index}.`, names))
}

export function readCacheMark(block: JsonObject): CacheMark | undefined {
  const control = asObject(block.cache_control)
  if (control === undefined) return undefined
  return control.ttl === '1h' ? 'hour' : 'minutes'
}

function readBlock(value: Json, at: string, names: CallNames): readonly Part[] {
  const block = asObject(value)
  if (block === undefined) refuseField(at.slice(0, -1), 'field.object')
  const type = readText(block, 'type', at)
  switch (type) {
    case 'thinking':
      return [
        {
          type: 'thinking',
          text: readText(block, 'thinking', at),
          signature: decodeSignature(asText(block.signature)),
        },
      ]
    case 'redacted_thinking':
      return [readSealed(readText(block, 'data', at))]
    case 'tool_use':
      return [readCall(block, at, names)]
    case 'tool_result':
      return [readResult(block, at, names)]
    // What the vendor has done by itself: called its own tools, listed somebody's, turned to another model.
    case 'server_tool_use':
    case 'mcp_tool_use':
    case 'mcp_tool_listing':
    case 'fallback':
      return []
    // What it made of a long conversation stands for all before it.
    case 'compaction':
      return block.content ? [{ type: 'text', text: readText(block, 'content', at) }] : []
    case 'container_upload':
    case 'tool_addition':
    case 'tool_removal':
      return refuseNamed(type)
    default:
      // What the vendor's own tools found: no other vendor can be given it, and this one does without.
      return type.endsWith('_tool_result') ? [] : readMaterial(block, type, at)
  }
}

function readMaterial(
  block: JsonObject,
  type: string,
  at: string,
): readonly (TextPart | ImagePart | FilePart)[] {
  switch (type) {
    case 'text':
      return [{ type: 'text', text: readText(block, 'text', at), cache: readCacheMark(block) }]
    case 'image':
      return [
        {
          type: 'image',
          source: readSource(readObject(block, 'source', at), at, undefined),
          cache: readCacheMark(block),
        },
      ]
    case 'document':
      return readDocument(block, at)
    case 'search_result':
      return [readSearchResult(block, at)]
    // One of the tools of the request, which others are told of at once.
    case 'tool_reference':
      return [{ type: 'text', text: readText(block, 'tool_name', at), cache: readCacheMark(block) }]
    default:
      refuseValue(`${at}type`, type)
  }
}

function readCall(block: JsonObject, at: string, names: CallNames): Part {
  const { id, signature } = decodeCallId(readText(block, 'id', at))
  const name = readText(block, 'name', at)
  const input = isAbsent(block.input) ? '' : JSON.stringify(readObject(block, 'input', at))
  names.set(id, name)
  return { type: 'tool-call', id, name, input, signature, cache: readCacheMark(block) }
}

function readResult(block: JsonObject, at: string, names: CallNames): ToolResultPart {
  const { id } = decodeCallId(readText(block, 'tool_use_id', at))
  return {
    type: 'tool-result',
    callId: id,
    name: names.get(id),
    content: readMaterials(block.content, `${at}content`),
    isError: readOptionalFlag(block, 'is_error', at),
    cache: readCacheMark(block),
  }
}

function readMaterials(content: Json | undefined, at: string): readonly (TextPart | ImagePart | FilePart)[] {
  if (isAbsent(content) || content === '') return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) refuseField(at, 'field.string-or-list')
  return content.flatMap((value, index) => {
    const block = asObject(value)
    if (block === undefined) refuseField(`${at}.${index}`, 'field.object')
    return readMaterial(block, readText(block, 'type', `${at}.${index}.`), `${at}.${index}.`)
  })
}

function readDocument(block: JsonObject, at: string): readonly (TextPart | ImagePart | FilePart)[] {
  const source = readObject(block, 'source', at)
  const title = readOptionalText(block, 'title', at)
  const context = toTexts(readOptionalText(block, 'context', at))
  if (source.type === 'content')
    return [...toTexts(title), ...context, ...readMaterials(source.content, `${at}source.content`)]
  const file = readSource(source, at, 'application/pdf')
  return [...context, { type: 'file', source: file, name: title, cache: readCacheMark(block) }]
}

/** What is told of a document has no place in other dialects but before it. */
function toTexts(text: string | undefined): readonly TextPart[] {
  return text ? [{ type: 'text', text }] : []
}

function readSource(source: JsonObject, at: string, mediaTypeOfUrl: string | undefined): Media {
  const within = `${at}source.`
  switch (source.type) {
    case 'base64':
      return { data: readText(source, 'data', within), mediaType: readText(source, 'media_type', within) }
    case 'text':
      return {
        data: Buffer.from(readText(source, 'data', within)).toString('base64'),
        mediaType: 'text/plain',
      }
    case 'url':
      return { url: readText(source, 'url', within), mediaType: mediaTypeOfUrl }
    case 'file':
      return { fileId: readText(source, 'file_id', within) }
    default:
      refuseValue(`${within}type`, source.type)
  }
}

function readSearchResult(block: JsonObject, at: string): TextPart {
  const texts = readMaterials(block.content, `${at}content`).map(part =>
    part.type === 'text' ? part.text : '',
  )
  const text = [asText(block.title) ?? '', asText(block.source) ?? '', ...texts].filter(line => line !== '')
  return { type: 'text', text: text.join('\n'), cache: readCacheMark(block) }
}
