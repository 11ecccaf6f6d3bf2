import {
  type Content,
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentParameters,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
  ThinkingLevel,
} from '@google/genai'
import { type Client, type Conversation, Natives, recordIds, type Said, type Turn } from './conversation.ts'

/** The `@google/genai` package through `models`. */
export function openGeminiClient(url: string, apiKey: string): Client {
  const ids = recordIds()
  const genai = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url, fetch: ids.fetch } })
  const natives = new Natives<Content>()

  async function answers(
    parameters: GenerateContentParameters,
    stream: boolean,
  ): Promise<GenerateContentResponse[]> {
    if (!stream) return [await genai.models.generateContent(parameters)]
    return Array.fromAsync(await genai.models.generateContentStream(parameters))
  }

  return {
    dialect: 'gemini',
    finishes: { stop: 'STOP', stopString: 'STOP', length: 'MAX_TOKENS', tools: 'STOP' },
    answering: ids.answering,
    async ask(model, conversation, stream) {
      const contents = conversation.turns.map(turn => writeTurn(turn, natives))
      const config = writeConfig(conversation)
      const pieces = await answers({ model, contents, config }, stream)
      const parts = pieces.flatMap(piece => piece.candidates?.[0]?.content?.parts ?? [])
      const usage = pieces.at(-1)?.usageMetadata
      const reasoning = usage?.thoughtsTokenCount ?? 0
      const said: Said = {
        text: textOf(parts, false),
        thinking: textOf(parts, true),
        calls: parts.flatMap(({ functionCall: call }) =>
          call ? [{ id: call.id ?? '', name: call.name ?? '', input: call.args ?? {} }] : [],
        ),
        finish: pieces.map(piece => piece.candidates?.[0]?.finishReason ?? '').join(''),
        usage: {
          input: usage?.promptTokenCount ?? 0,
          cached: usage?.cachedContentTokenCount ?? 0,
          output: (usage?.candidatesTokenCount ?? 0) + reasoning,
          reasoning,
        },
        requestId: ids.last(),
      }
      return natives.keep(said, { role: 'model', parts })
    },
  }
}

function textOf(parts: readonly Part[], thought: boolean): string {
  return parts.map(part => ((part.thought ?? false) === thought ? (part.text ?? '') : '')).join('')
}

function writeConfig(conversation: Conversation): GenerateContentConfig {
  const { tools, choice, schema } = conversation
  return {
    systemInstruction: conversation.system,
    tools: tools && [
      {
        functionDeclarations: tools.map(({ name, description, schema: parametersJsonSchema }) => ({
          name,
          description,
          parametersJsonSchema,
        })),
      },
    ],
    toolConfig: choice && { functionCallingConfig: writeChoice(choice) },
    thinkingConfig: conversation.think
      ? { includeThoughts: true, thinkingLevel: ThinkingLevel.MEDIUM }
      : undefined,
    responseMimeType: schema && 'application/json',
    responseJsonSchema: schema,
    stopSequences: conversation.stop === undefined ? undefined : [conversation.stop],
    maxOutputTokens: conversation.maxTokens,
  }
}

function writeChoice(choice: NonNullable<Conversation['choice']>) {
  if (choice === 'none') return { mode: FunctionCallingConfigMode.NONE }
  const allowedFunctionNames = typeof choice === 'object' ? [choice.name] : undefined
  return { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames }
}

function writeTurn(turn: Turn, natives: Natives<Content>): Content {
  if ('said' in turn) return natives.of(turn.said)
  if ('assistant' in turn) return { role: 'model', parts: [{ text: turn.assistant }] }
  if ('results' in turn)
    return {
      role: 'user',
      parts: turn.results.map(({ of, text }) => ({
        functionResponse: { id: of.id || undefined, name: of.name, response: { output: text } },
      })),
    }
  const parts: Part[] = [{ text: turn.user }]
  if (turn.image !== undefined) {
    const mimeType = 'image/png'
    if ('url' in turn.image) parts.push({ fileData: { mimeType, fileUri: turn.image.url } })
    else parts.push({ inlineData: { mimeType, data: turn.image.base64 } })
  }
  return { role: 'user', parts }
}
