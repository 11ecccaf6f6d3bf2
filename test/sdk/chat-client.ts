import OpenAI from 'openai'
import { type Client, type Conversation, Natives, recordIds, type Said, type Turn } from './conversation.ts'

type Message = OpenAI.ChatCompletionMessageParam
type Body = OpenAI.ChatCompletionCreateParamsNonStreaming

/** What this dialect's gateways add to a message; clients send it back as it came. */
interface Thoughts {
  readonly reasoning_content?: string
  readonly reasoning_details?: readonly object[]
  readonly extra_content?: object
}

const EMPTY: OpenAI.CompletionUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

/** The `openai` package through `chat.completions`. */
export function openChatClient(url: string, apiKey: string): Client {
  const ids = recordIds()
  const openai = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0, fetch: ids.fetch })
  const natives = new Natives<Message>()

  async function whole(body: Body): Promise<[OpenAI.ChatCompletion, Thoughts]> {
    const completion = await openai.chat.completions.create(body)
    return [completion, (completion.choices[0]?.message ?? {}) as Thoughts]
  }

  async function streamed(body: Body): Promise<[OpenAI.ChatCompletion, Thoughts]> {
    const stream = openai.chat.completions.stream({
      ...body,
      stream: true,
      stream_options: { include_usage: true },
    })
    let content = ''
    const details: object[] = []
    let extra: object | undefined
    for await (const chunk of stream) {
      const delta = (chunk.choices[0]?.delta ?? {}) as Thoughts
      content += delta.reasoning_content ?? ''
      details.push(...(delta.reasoning_details ?? []))
      extra = delta.extra_content ?? extra
    }
    const thoughts: Thoughts = {
      ...(content === '' ? {} : { reasoning_content: content }),
      ...(details.length === 0 ? {} : { reasoning_details: details }),
      ...(extra === undefined ? {} : { extra_content: extra }),
    }
    return [await stream.finalChatCompletion(), thoughts]
  }

  return {
    dialect: 'openai-chat',
    finishes: { stop: 'stop', stopString: 'stop', length: 'length', tools: 'tool_calls' },
    answering: ids.answering,
    async ask(model, conversation, stream) {
      const body = write(model, conversation, natives)
      const [completion, thoughts] = await (stream ? streamed(body) : whole(body))
      const choice = completion.choices[0]
      if (choice === undefined) throw new Error('no choice')
      const calls = (choice.message.tool_calls ?? []).filter(call => call.type === 'function')
      const usage = completion.usage ?? EMPTY
      const said: Said = {
        text: choice.message.content ?? '',
        thinking: thoughts.reasoning_content ?? '',
        calls: calls.map(call => ({
          id: call.id,
          name: call.function.name,
          input: JSON.parse(call.function.arguments),
        })),
        finish: choice.finish_reason,
        usage: {
          input: usage.prompt_tokens,
          cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
          output: usage.completion_tokens,
          reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
        },
        requestId: ids.last(),
      }
      const { reasoning_content, reasoning_details, extra_content } = thoughts
      return natives.keep(said, {
        role: 'assistant',
        content: choice.message.content,
        ...(calls.length > 0 ? { tool_calls: calls.map(withoutParsed) } : {}),
        ...(reasoning_content === undefined ? {} : { reasoning_content }),
        ...(reasoning_details === undefined ? {} : { reasoning_details }),
        ...(extra_content === undefined ? {} : { extra_content }),
      })
    },
  }
}

/** The stream helper notes what it parsed beside the arguments; that is not the vendor's. */
function withoutParsed(call: OpenAI.ChatCompletionMessageFunctionToolCall) {
  const { name, arguments: input } = call.function
  const { extra_content } = call as Thoughts
  const more = extra_content === undefined ? {} : { extra_content }
  return { id: call.id, type: call.type, function: { name, arguments: input }, ...more }
}

function write(model: string, conversation: Conversation, natives: Natives<Message>): Body {
  const { system, tools, choice, schema } = conversation
  return {
    model,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      ...conversation.turns.flatMap(turn => writeTurn(turn, natives)),
    ],
    tools: tools?.map(({ name, description, schema: parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
    tool_choice: typeof choice === 'object' ? { type: 'function', function: choice } : choice,
    parallel_tool_calls: conversation.oneCallAtMost ? false : undefined,
    reasoning_effort: conversation.think ? 'medium' : undefined,
    response_format: schema && {
      type: 'json_schema',
      json_schema: { name: 'answer', schema, strict: true },
    },
    stop: conversation.stop,
    max_completion_tokens: conversation.maxTokens,
  }
}

function writeTurn(turn: Turn, natives: Natives<Message>): Message[] {
  if ('said' in turn) return [natives.of(turn.said)]
  if ('assistant' in turn) return [{ role: 'assistant', content: turn.assistant }]
  if ('results' in turn)
    return turn.results.map(({ of, text }) => ({ role: 'tool', tool_call_id: of.id, content: text }))
  if (turn.image === undefined) return [{ role: 'user', content: turn.user }]
  const url = 'url' in turn.image ? turn.image.url : `data:image/png;base64,${turn.image.base64}`
  return [
    {
      role: 'user',
      content: [
        { type: 'text', text: turn.user },
        { type: 'image_url', image_url: { url } },
      ],
    },
  ]
}
