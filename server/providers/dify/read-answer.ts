import { asObject, asText, type JsonObject } from '../../dialects/json.ts'
import type { NeutralAnswer, TokenUsage } from '../../dialects/spec.ts'
import { usageOf } from '../kit/answers/count.ts'

/** Streams are asked for, but a server may answer in one piece. */
export function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  const text = asText(body.answer)
  if (text === undefined) return undefined
  return {
    id: asText(body.message_id) ?? '',
    model: '',
    created: Math.floor(Date.now() / 1000),
    parts: text === '' ? [] : [{ type: 'text', text }],
    finish: { reason: 'stop' },
    usage: readUsage(body),
  }
}

/** Apps whose models tell nothing say zero. */
export function readUsage({ metadata }: JsonObject): TokenUsage | undefined {
  const usage = asObject(asObject(metadata)?.usage)
  if (usage?.prompt_tokens === 0 && usage.completion_tokens === 0) return undefined
  return usageOf(usage?.prompt_tokens, usage?.completion_tokens)
}

const usualNames = ['text', 'answer', 'result', 'output'] as const

/** What a workflow says: its one text, the one that is named so, or all of it. */
export function readOutputs(value: unknown): string {
  const outputs = asObject(value)
  if (!outputs) return ''
  const all = Object.values(outputs)
  if (all.length === 1 && typeof all[0] === 'string') return all[0]
  const name = usualNames.find(one => typeof outputs[one] === 'string')
  return name === undefined ? (all.length > 0 ? JSON.stringify(outputs) : '') : (asText(outputs[name]) ?? '')
}
