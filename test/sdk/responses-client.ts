import OpenAI from 'openai'
import { type Client, type Conversation, Natives, recordIds, type Said, type Turn } from './conversation.ts'

type Item = OpenAI.Responses.ResponseInputItem
type Output = OpenAI.Responses.ResponseOutputItem
type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming

/** The `openai` package through `responses`. Nothing is kept at the vendor's: what was said goes back whole. */
export function openResponsesClient(url: string, apiKey: string): Client {
  const ids = recordIds()
  const openai = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0, fetch: ids.fetch })
  const natives = new Natives<Item[]>()

  async function streamed(body: Body): Promise<OpenAI.Responses.Response> {
    const stream = openai.responses.stream({ ...body, stream: true })
    const output: Output[] = []
    for await (const event of stream) {
      // The helper's own final answer holds what it parsed too.
      if (event.type === 'response.output_item.done') output[event.output_index] = event.item
    }
    const { output_text, ...response } = await stream.finalResponse()
    return { ...response, output, output_text }
  }

  return {
    dialect: 'openai-responses',
    finishes: {
      stop: 'completed',
      stopString: 'completed',
      length: 'incomplete max_output_tokens',
      tools: 'completed',
    },
    answering: ids.answering,
    async ask(model, conversation, stream) {
      const body = write(model, conversation, natives)
      const response = await (stream ? streamed(body) : openai.responses.create(body))
      const calls = response.output.filter(item => item.type === 'function_call')
      const thoughts = response.output.filter(item => item.type === 'reasoning')
      const why = response.incomplete_details?.reason
      const said: Said = {
        text: response.output_text,
        thinking: thoughts.flatMap(item => item.summary.map(part => part.text)).join(''),
        calls: calls.map(call => ({
          id: call.call_id,
          name: call.name,
          input: JSON.parse(call.arguments),
        })),
        finish: why === undefined ? (response.status ?? '') : `${response.status} ${why}`,
        usage: {
          input: response.usage?.input_tokens ?? 0,
          cached: response.usage?.input_tokens_details.cached_tokens ?? 0,
          output: response.usage?.output_tokens ?? 0,
          reasoning: response.usage?.output_tokens_details.reasoning_tokens ?? 0,
        },
        requestId: ids.last(),
      }
      return natives.keep(said, response.output as Item[])
    },
  }
}

function write(model: string, conversation: Conversation, natives: Natives<Item[]>): Body {
  const { tools, choice, schema } = conversation
  return {
    model,
    instructions: conversation.system,
    input: conversation.turns.flatMap(turn => writeTurn(turn, natives)),
    store: false,
    tools: tools?.map(({ name, description, schema: parameters }) => ({
      type: 'function',
      name,
      description,
      parameters,
      strict: false,
    })),
    tool_choice: typeof choice === 'object' ? { type: 'function', ...choice } : choice,
    parallel_tool_calls: conversation.oneCallAtMost ? false : undefined,
    reasoning: conversation.think ? { effort: 'medium', summary: 'auto' } : undefined,
    include: conversation.think ? ['reasoning.encrypted_content'] : undefined,
    text: schema && { format: { type: 'json_schema', name: 'answer', schema, strict: true } },
    max_output_tokens: conversation.maxTokens,
  }
}

function writeTurn(turn: Turn, natives: Natives<Item[]>): Item[] {
  if ('said' in turn) return natives.of(turn.said)
  if ('assistant' in turn) return [{ role: 'assistant', content: turn.assistant }]
  if ('results' in turn)
    return turn.results.map(({ of, text }) => ({
      type: 'function_call_output',
      call_id: of.id,
      output: text,
    }))
  if (turn.image === undefined) return [{ role: 'user', content: turn.user }]
  const image_url = 'url' in turn.image ? turn.image.url : `data:image/png;base64,${turn.image.base64}`
  return [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: turn.user },
        { type: 'input_image', image_url, detail: 'auto' },
      ],
    },
  ]
}
