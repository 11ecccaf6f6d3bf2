import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { countBytes } from '../read-media.ts'
import { countTokens, cutPieces } from '../reply.ts'
import type { SocketTalk } from '../upstream.ts'
import { editUsage } from '../write-frames.ts'

const BYTES_PER_AUDIO_TOKEN = 100

/** What one answer counts: a token per four characters heard so far, one per hundred bytes of sound. */
interface Heard {
  text: string
  audioBytes: number
}

/** A conversation over a WebSocket: one `response.done` with usage for every `response.create`. */
export async function talkRealtime(talk: SocketTalk): Promise<void> {
  const { call } = talk
  const heard: Heard = { text: '', audioBytes: 0 }
  const newEvent = (event: JsonObject) => ({ ...event, event_id: call.newId('event_', 12) })
  const session: JsonObject = {
    type: 'realtime',
    object: 'realtime.session',
    id: call.newId('sess_', 12),
    model: call.seen.query.model,
    output_modalities: ['audio'],
  }
  if (!(await talk.say(newEvent({ type: 'session.created', session })))) return
  for (;;) {
    const event = await talk.hear()
    if (event === undefined) return
    for (const said of answerEvent(talk, event, session, heard)) if (!(await talk.say(newEvent(said)))) return
  }
}

function answerEvent(talk: SocketTalk, event: JsonObject, session: JsonObject, heard: Heard): JsonObject[] {
  switch (event.type) {
    case 'session.update':
      Object.assign(session, asObject(event.session))
      return [{ type: 'session.updated', session }]
    case 'conversation.item.create': {
      const item = { id: talk.call.newId('item_', 12), object: 'realtime.item', ...asObject(event.item) }
      hearItem(asObject(event.item) ?? {}, heard)
      return [
        { type: 'conversation.item.added', previous_item_id: null, item },
        { type: 'conversation.item.done', previous_item_id: null, item },
      ]
    }
    case 'input_audio_buffer.append':
      heard.audioBytes += countBytes(asText(event.audio) ?? '')
      return []
    case 'input_audio_buffer.commit':
      return [
        {
          type: 'input_audio_buffer.committed',
          previous_item_id: null,
          item_id: talk.call.newId('item_', 12),
        },
      ]
    case 'response.create':
      return respond(talk, heard)
    default: {
      const message = `Invalid value: '${event.type}'.`
      const error = {
        type: 'invalid_request_error',
        code: 'invalid_value',
        message,
        param: 'type',
        event_id: null,
      }
      return [{ type: 'error', error }]
    }
  }
}

function hearItem(item: JsonObject, heard: Heard): void {
  for (const part of asArray(item.content)) {
    heard.text += asText(asObject(part)?.text) ?? ''
    heard.audioBytes += countBytes(asText(asObject(part)?.audio) ?? '')
  }
  heard.text += asText(item.output) ?? ''
}

function respond(talk: SocketTalk, heard: Heard): JsonObject[] {
  const { call, answer, served } = talk
  const text = answer.reply?.text ?? `You said: ${heard.text}`
  const tokens = {
    text: countTokens(heard.text) + 7,
    audio: Math.ceil(heard.audioBytes / BYTES_PER_AUDIO_TOKEN),
  }
  const cached = heard.text.includes('cached') ? Math.floor(tokens.text / 2) : 0
  const input = tokens.text + tokens.audio
  const output = countTokens(text)
  served.tally = {
    ...served.tally,
    input: served.tally.input + input,
    cached: served.tally.cached + cached,
    output: served.tally.output + output,
  }
  const usage = editUsage(
    {
      total_tokens: input + output,
      input_tokens: input,
      output_tokens: output,
      input_token_details: { text_tokens: tokens.text, audio_tokens: tokens.audio, cached_tokens: cached },
      output_token_details: { text_tokens: output, audio_tokens: 0 },
    },
    answer,
  )
  const response: JsonObject = {
    object: 'realtime.response',
    id: call.newId('resp_', 12),
    status: 'in_progress',
    status_details: null,
    output: [],
    usage: null,
  }
  const part = { type: 'output_text', text }
  const item = {
    id: call.newId('item_', 12),
    object: 'realtime.item',
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [part],
  }
  const at = { response_id: response.id, item_id: item.id, output_index: 0, content_index: 0 }
  return [
    { type: 'response.created', response },
    {
      type: 'response.output_item.added',
      response_id: response.id,
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
    ...cutPieces(text, answer.pieceChars).map(delta => ({
      type: 'response.output_text.delta',
      ...at,
      delta,
    })),
    { type: 'response.output_text.done', ...at, text },
    { type: 'response.content_part.done', ...at, part },
    { type: 'response.output_item.done', response_id: response.id, output_index: 0, item },
    {
      type: 'response.done',
      response: {
        ...response,
        status: 'completed',
        output: [item],
        ...(usage === undefined ? {} : { usage }),
      },
    },
  ]
}
