import { describe, expect, test } from 'bun:test'
import { AppError } from '../../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { openaiChat } from './index.ts'

function refusal(body: JsonObject): AppError | undefined {
  try {
    openaiChat.readRequest({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...body }, {})
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  return undefined
}

describe('what is refused', () => {
  const user = (content: Json): JsonObject => ({ messages: [{ role: 'user', content }] })
  const fields: [JsonObject, string][] = [
    [{ model: '' }, 'model'],
    [{ model: 5 }, 'model'],
    [{ messages: null }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: {} }, 'messages'],
    [{ messages: 'Hi' }, 'messages'],
    [{ messages: [null] }, 'messages[0]'],
    [{ messages: [[]] }, 'messages[0]'],
    [{ messages: [{}] }, 'messages[0].role'],
    [{ messages: [{ role: 'x'.repeat(9999), content: '' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content'],
    [user(5), 'messages[0].content'],
    [user([null]), 'messages[0].content[0]'],
    [user([{ type: 'text' }]), 'messages[0].content[0].text'],
    [user([{ type: 'nonsense' }]), 'messages[0].content[0].type'],
    [user([{ type: 'image_url' }]), 'messages[0].content[0].image_url'],
    [user([{ type: 'image_url', image_url: {} }]), 'messages[0].content[0].image_url.url'],
    [user([{ type: 'image_url', image_url: '' }]), 'messages[0].content[0].image_url'],
    [user([{ type: 'image_url', image_url: 'data:x' }]), 'messages[0].content[0].image_url'],
    [user([{ type: 'image_url', image_url: 'data:x,%zz' }]), 'messages[0].content[0].image_url'],
    [user([{ type: 'input_audio' }]), 'messages[0].content[0].input_audio.data'],
    [user([{ type: 'file', file: 'x' }]), 'messages[0].content[0].file'],
    [
      { messages: [{ role: 'system', content: [{ type: 'image_url', image_url: 'x' }] }] },
      'messages[0].content',
    ],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id'],
    [{ messages: [{ role: 'assistant', tool_calls: {} }] }, 'messages[0].tool_calls'],
    [{ messages: [{ role: 'assistant', tool_calls: [null] }] }, 'messages[0].tool_calls[0]'],
    [{ messages: [{ role: 'assistant', tool_calls: [{ id: 'a' }] }] }, 'messages[0].tool_calls[0].function'],
    [
      { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f' } }] }] },
      'messages[0].tool_calls[0].id',
    ],
    ...[-1, 0, 0.5, 2 ** 53, Number.POSITIVE_INFINITY, '5', true, []].flatMap(
      (bad): [JsonObject, string][] => [
        [{ max_tokens: bad }, 'max_tokens'],
        [{ max_completion_tokens: bad }, 'max_completion_tokens'],
        [{ n: bad }, 'n'],
      ],
    ),
    [{ temperature: '1' }, 'temperature'],
    [{ temperature: Number.POSITIVE_INFINITY }, 'temperature'],
    [{ top_p: {} }, 'top_p'],
    [{ seed: 0.5 }, 'seed'],
    [{ stream: 'true' }, 'stream'],
    [{ stop: 5 }, 'stop'],
    [{ stop: ['a', 5] }, 'stop[1]'],
    [{ stream_options: 5 }, 'stream_options'],
    [{ stream_options: { include_usage: 'yes' } }, 'stream_options.include_usage'],
    [{ reasoning_effort: 'huge' }, 'reasoning_effort'],
    [{ thinking: { type: 'enabled', budget_tokens: 0.5 } }, 'thinking.budget_tokens'],
    [{ tools: {} }, 'tools'],
    [{ tools: [5] }, 'tools[0]'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].function'],
    [{ tools: [{ type: 'function', function: { name: 5 } }] }, 'tools[0].function.name'],
    [
      { tools: [{ type: 'function', function: { name: 'f', parameters: [] } }] },
      'tools[0].function.parameters',
    ],
    [{ tool_choice: 5 }, 'tool_choice'],
    [{ tool_choice: { type: 'function' } }, 'tool_choice.function.name'],
    [{ response_format: { type: 'xml' } }, 'response_format.type'],
    [{ response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
  ]
  test.each(fields)('%j', (body, field) => {
    const refused = refusal(body)
    expect(refused?.code).toStartWith('field.')
    expect(refused?.params.field).toBe(field)
    expect(refused?.message.length).toBeLessThan(130)
  })

  const features: [JsonObject, string][] = [
    [{ modalities: ['text', 'audio'] }, 'audio output'],
    [{ moderation: { model: 'omni-moderation-latest' } }, 'moderation'],
    [{ messages: [{ role: 'assistant', audio: { id: 'a' } }] }, 'audio output'],
    [user([{ type: 'video_url', video_url: { url: 'x' } }]), 'video input'],
  ]
  test.each(features)('%j is not supported', (body, feature) => {
    expect(refusal(body)?.message).toBe(`The upstream of this model does not support ${feature}`)
  })
})
