import { asArray, asObject, asText, type Json, type JsonObject } from '../json.ts'
import { addLogprobs } from '../logprobs.ts'
import type { AnswerPart, CitationPart, Finish, NeutralAnswer } from '../spec.ts'
import { AnswerIds, createAnswerId } from './answer-ids.ts'
import { mapBlocked, mapFinish, readFinishWord } from './finish-reasons.ts'
import { readLogprobsResult } from './logprobs.ts'
import { readAnswerPart, readCitations } from './read-answer-parts.ts'
import { readUsage } from './read-usage.ts'

export function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  const candidate = asObject(asArray(body.candidates)[0])
  const parts = candidate ? readParts(candidate, asText(body.responseId)) : []
  const finish = readFinish(body, candidate, parts)
  if (!finish) return undefined
  const usage = readUsage(body)
  return {
    id: asText(body.responseId) || createAnswerId(),
    model: asText(body.modelVersion) ?? '',
    created: readCreated(body.createTime),
    parts,
    finish,
    ...(usage && { usage }),
  }
}

export function readCreated(value: Json | undefined): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Math.floor((Number.isFinite(time) ? time : Date.now()) / 1000)
}

export function readBlocked(body: JsonObject): Finish | undefined {
  const feedback = asObject(body.promptFeedback)
  const word = asText(feedback?.blockReason)
  return word ? mapBlocked(word, asText(feedback?.blockReasonMessage)) : undefined
}

function readParts(candidate: JsonObject, responseId: string | undefined): AnswerPart[] {
  const ids = new AnswerIds(responseId)
  const parts = asArray(asObject(candidate.content)?.parts).flatMap(item => {
    const part = asObject(item)
    return (part && readAnswerPart(part, ids)) ?? []
  })
  const likely = candidate.logprobsResult ? addLogprobs(parts, readLogprobsResult(candidate)) : parts
  return cite(likely, readCitations(candidate))
}

/** Google tells the sources beside the answer: they are of its text, whatever comes after that. */
function cite(parts: AnswerPart[], citations: readonly CitationPart[]): AnswerPart[] {
  const end = parts.findLastIndex(({ type }) => type === 'text') + 1 || parts.length
  return citations.length === 0 ? parts : parts.toSpliced(end, 0, ...citations)
}

function readFinish(
  body: JsonObject,
  candidate: JsonObject | undefined,
  parts: readonly AnswerPart[],
): Finish | undefined {
  if (!candidate) return readBlocked(body)
  const word = readFinishWord(candidate.finishReason)
  if (word === undefined && parts.length === 0) return readBlocked(body)
  const hasCalls = parts.some(part => part.type === 'tool-call')
  return mapFinish(word ?? 'STOP', asText(candidate.finishMessage), hasCalls)
}
