import { asArray, asNumber, asObject, asText, type Json, type JsonObject } from './json.ts'
import type { AnswerPart, Logprob, TextPart, TokenLogprob } from './spec.ts'

// How likely tokens were, in the words that OpenAI has for it in both of its dialects.

export function readLogprobs(value: Json | undefined): TokenLogprob[] | undefined {
  const tokens = asArray(value).flatMap(entry => {
    const token = readToken(entry)
    const top = asArray(asObject(entry)?.top_logprobs).flatMap(one => readToken(one) ?? [])
    return token ? [{ ...token, top }] : []
  })
  return tokens.length > 0 ? tokens : undefined
}

function readToken(value: Json): Logprob | undefined {
  const entry = asObject(value)
  const token = asText(entry?.token)
  if (token === undefined) return undefined
  const bytes = asArray(entry?.bytes).filter(byte => typeof byte === 'number')
  return { token, logprob: asNumber(entry?.logprob) ?? 0, ...(bytes.length > 0 && { bytes }) }
}

export function writeLogprobs(tokens: readonly TokenLogprob[]): JsonObject[] {
  return tokens.map(token => ({ ...writeToken(token), top_logprobs: token.top.map(writeToken) }))
}

function writeToken({ token, logprob, bytes }: Logprob): JsonObject {
  return { token, logprob, bytes: [...(bytes ?? Buffer.from(token))] }
}

/** Vendors tell it of an answer as a whole: it goes with the first of its text. */
export function addLogprobs(
  parts: readonly AnswerPart[],
  logprobs: readonly TokenLogprob[] | undefined,
): AnswerPart[] {
  const at = parts.findIndex(isSaid)
  return parts.map((part, index) => (logprobs && index === at && isSaid(part) ? { ...part, logprobs } : part))
}

export function listLogprobs(parts: readonly AnswerPart[]): TokenLogprob[] {
  return parts.flatMap(part => (isSaid(part) ? (part.logprobs ?? []) : []))
}

function isSaid(part: AnswerPart): part is TextPart {
  return part.type === 'text' && !part.refusal
}
