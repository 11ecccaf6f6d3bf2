import { asArray, asNumber, asObject, asText, type Json, type JsonObject } from '../json.ts'
import type { Logprob, TokenLogprob } from '../spec.ts'

export function readLogprobsResult(candidate: JsonObject): TokenLogprob[] | undefined {
  const result = asObject(candidate.logprobsResult)
  const tops = asArray(result?.topCandidates)
  const tokens = asArray(result?.chosenCandidates).flatMap((chosen, at) => {
    const token = readToken(chosen)
    const top = asArray(asObject(tops[at])?.candidates).flatMap(one => readToken(one) ?? [])
    return token ? [{ ...token, top }] : []
  })
  return tokens.length > 0 ? tokens : undefined
}

function readToken(value: Json): Logprob | undefined {
  const chosen = asObject(value)
  const token = asText(chosen?.token)
  return token === undefined ? undefined : { token, logprob: asNumber(chosen?.logProbability) ?? 0 }
}

export function writeLogprobsResult(tokens: readonly TokenLogprob[]): JsonObject {
  const result: JsonObject = { chosenCandidates: tokens.map(writeToken) }
  if (tokens.some(({ top }) => top.length > 0))
    result.topCandidates = tokens.map(({ top }) => ({ candidates: top.map(writeToken) }))
  return result
}

function writeToken({ token, logprob }: Logprob): JsonObject {
  return { token, logProbability: logprob }
}
