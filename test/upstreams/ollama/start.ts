import { asArray, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { answerCompletions, checkCompletions } from '../openai/answer-completions.ts'
import { embed } from '../openai/answer-embeddings.ts'
import { composeReply, countTokens, cutPieces, type Reply, type Turn } from '../reply.ts'
import type { Answer } from '../script.ts'
import { startUpstream } from '../start-upstream.ts'
import { countTally, NO_TALLY } from '../tally.ts'
import { bearerOnly, type Call, type FakeUpstream, type Rendered, type UpstreamOptions } from '../upstream.ts'
import { editUsage } from '../write-frames.ts'
import { checkChat, checkEmbed, readOllamaTurn } from './check-chat.ts'
import { failOllama } from './fail.ts'

const MODELS = ['qwen3:8b', 'nomic-embed-text']

export function startOllama(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'ollama-cloud-key-0123456789' } = options
  return startUpstream(
    {
      name: 'Ollama',
      key,
      keyHeaders: ['authorization'],
      authorize: bearerOnly(failOllama),
      fail: failOllama,
      routes: [
        {
          method: 'POST',
          path: /^\/api\/chat$/,
          takes: 'json',
          check: checkChat,
          answer: answerChat,
        },
        { method: 'POST', path: /^\/api\/embed$/, takes: 'json', check: checkEmbed, answer: answerEmbed },
        {
          method: 'POST',
          path: /^\/v1\/completions$/,
          takes: 'json',
          check: checkCompletions,
          answer: answerCompletions,
        },
        { method: 'GET', path: /^\/api\/tags$/, takes: 'nothing', answer: listModels },
      ],
    },
    options,
  )
}

const stamp = '2026-11-15T08:00:00.000000Z'

function answerChat(call: Call, answer: Answer): Rendered {
  const turn = readOllamaTurn(call.body)
  const reply: Reply = { ...composeReply(turn), ...answer.reply }
  // It knows no cache and no count of thoughts.
  const tally = { ...countTally(turn, reply), cached: 0, reasoning: 0 }
  const counts = editUsage({ prompt_eval_count: tally.input, eval_count: tally.output }, answer)
  const end: JsonObject = {
    done: true,
    done_reason: reply.finish === 'length' ? 'length' : 'stop',
    total_duration: 1_000_000,
    ...(counts as JsonObject | undefined),
  }
  const head = { model: turn.model, created_at: stamp }
  const say = (message: JsonObject, more: JsonObject): string =>
    JSON.stringify({ ...head, message: { role: 'assistant', content: '', ...message }, ...more })
  if (!turn.stream) {
    const message = { content: reply.text, ...thoughts(reply), ...callsOf(reply) }
    return { contentType: 'application/json; charset=utf-8', body: say(message, end), tally }
  }
  return { ...writeLines(turn, reply, answer, say, end), tally }
}

function writeLines(
  _turn: Turn,
  reply: Reply,
  answer: Answer,
  say: (message: JsonObject, more: JsonObject) => string,
  end: JsonObject,
): Omit<Rendered, 'tally'> {
  const going = { done: false }
  const texts = cutPieces(reply.text, answer.pieceChars).map(content => `${say({ content }, going)}\n`)
  const thinking = cutPieces(reply.thinking, answer.pieceChars).map(
    piece => `${say({ thinking: piece }, going)}\n`,
  )
  const calls = reply.calls.length > 0 ? [`${say(callsOf(reply), going)}\n`] : []
  return {
    contentType: 'application/x-ndjson',
    frames: [...thinking, ...texts, ...calls, `${say({}, end)}\n`],
    moreText: texts[0],
    errorFrame: `${JSON.stringify(failOllama('server-error').body)}\n`,
  }
}

function thoughts({ thinking }: Reply): JsonObject {
  return thinking === '' ? {} : { thinking }
}

function callsOf({ calls }: Reply): JsonObject {
  if (calls.length === 0) return {}
  return {
    tool_calls: calls.map(({ name, input }, index) => ({ function: { index, name, arguments: input } })),
  }
}

function answerEmbed({ body }: Call, answer: Answer): Rendered {
  const inputs = typeof body.input === 'string' ? [body.input] : asArray(body.input).map(String)
  const input = inputs.reduce((sum, one) => sum + countTokens(one), 0)
  const counts = editUsage({ prompt_eval_count: input }, answer)
  const said = {
    model: asText(body.model),
    embeddings: inputs.map(one => embed(one, Number(body.dimensions ?? 8))),
    total_duration: 1,
    ...(counts as JsonObject | undefined),
  }
  return { contentType: 'application/json', body: JSON.stringify(said), tally: { ...NO_TALLY, input } }
}

function listModels(call: Call): Rendered {
  const models = (call.options.models ?? MODELS).map(name => ({ name, model: name, size: 1 }))
  return { contentType: 'application/json', body: JSON.stringify({ models }), tally: NO_TALLY }
}
