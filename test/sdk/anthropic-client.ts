import Anthropic from '@anthropic-ai/sdk'
import { type Client, type Conversation, Natives, recordIds, type Said, type Turn } from './conversation.ts'

type Message = Anthropic.MessageParam
type Body = Anthropic.MessageCreateParamsNonStreaming

/** The `@anthropic-ai/sdk` package through `messages`. */
export function openAnthropicClient(url: string, apiKey: string): Client {
  const ids = recordIds()
  const anthropic = new Anthropic({ apiKey, baseURL: url, maxRetries: 0, fetch: ids.fetch })
  const natives = new Natives<Message>()
  return {
    dialect: 'anthropic',
    finishes: { stop: 'end_turn', stopString: 'stop_sequence', length: 'max_tokens', tools: 'tool_use' },
    answering: ids.answering,
    async ask(model, conversation, stream) {
      const body = write(model, conversation, natives)
      const message = await (stream
        ? anthropic.messages.stream(body).finalMessage()
        : anthropic.messages.create(body))
      const { content, usage } = message
      const said: Said = {
        text: content.map(block => (block.type === 'text' ? block.text : '')).join(''),
        thinking: content.map(block => (block.type === 'thinking' ? block.thinking : '')).join(''),
        calls: content
          .filter(block => block.type === 'tool_use')
          .map(({ id, name, input }) => ({ id, name, input })),
        finish: message.stop_reason ?? '',
        usage: {
          input:
            usage.input_tokens +
            (usage.cache_read_input_tokens ?? 0) +
            (usage.cache_creation_input_tokens ?? 0),
          cached: usage.cache_read_input_tokens ?? 0,
          output: usage.output_tokens,
          reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
        },
        requestId: ids.last(),
      }
      return natives.keep(said, { role: 'assistant', content })
    },
  }
}

function write(model: string, conversation: Conversation, natives: Natives<Message>): Body {
  const { tools, choice, schema } = conversation
  return {
    model,
    max_tokens: conversation.maxTokens ?? 4096,
    system: conversation.system,
    messages: conversation.turns.map(turn => writeTurn(turn, natives)),
    tools: tools?.map(({ name, description, schema: input }) => ({
      name,
      description,
      input_schema: { type: 'object', ...input },
    })),
    tool_choice: writeChoice(choice, conversation.oneCallAtMost),
    thinking: conversation.think ? { type: 'enabled', budget_tokens: 2048 } : undefined,
    output_config: schema && { format: { type: 'json_schema', schema } },
    stop_sequences: conversation.stop === undefined ? undefined : [conversation.stop],
  }
}

function writeChoice(
  choice: Conversation['choice'],
  oneCallAtMost: boolean | undefined,
): Anthropic.ToolChoice | undefined {
  if (oneCallAtMost) return { type: 'auto', disable_parallel_tool_use: true }
  if (typeof choice === 'object') return { type: 'tool', ...choice }
  return choice && { type: choice === 'required' ? 'any' : 'none' }
}

function writeTurn(turn: Turn, natives: Natives<Message>): Message {
  if ('said' in turn) return natives.of(turn.said)
  if ('assistant' in turn) return { role: 'assistant', content: turn.assistant }
  if ('results' in turn)
    return {
      role: 'user',
      content: turn.results.map(({ of, text }) => ({
        type: 'tool_result',
        tool_use_id: of.id,
        content: text,
      })),
    }
  if (turn.image === undefined) return { role: 'user', content: turn.user }
  const source: Anthropic.ImageBlockParam['source'] =
    'url' in turn.image
      ? { type: 'url', url: turn.image.url }
      : { type: 'base64', media_type: 'image/png', data: turn.image.base64 }
  return {
    role: 'user',
    content: [
      { type: 'text', text: turn.user },
      { type: 'image', source },
    ],
  }
}
