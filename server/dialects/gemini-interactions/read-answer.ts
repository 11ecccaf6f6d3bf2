import { readCreated } from '../gemini/read-answer.ts'
import { asArray, asObject, asText, type Json, type JsonObject } from '../json.ts'
import type { AnswerPart, Finish, NeutralAnswer } from '../spec.ts'
import { readUsage } from './read-usage.ts'
import { isOver } from './statuses.ts'

/** Undefined for one that failed, and for one that is not over: nobody would ask after it. */
export function readAnswer(body: JsonObject): NeutralAnswer | undefined {
  if (!isOver(body) || body.status === 'failed') return undefined
  return {
    id: asText(body.id) ?? '',
    model: asText(body.model) ?? asText(body.agent) ?? '',
    created: readCreated(body.created),
    parts: asArray(body.steps).flatMap(step => readStep(asObject(step) ?? {})),
    finish: readFinish(body),
    usage: readUsage(body),
  }
}

export function readFinish({ status }: JsonObject): Finish {
  switch (status) {
    case 'requires_action':
      return { reason: 'tools' }
    case 'incomplete':
    case 'requires_continuation':
    case 'budget_exceeded':
      return { reason: 'length' }
    case 'cancelled':
      return { reason: 'paused' }
    default:
      return { reason: 'stop' }
  }
}

/** What the model made in a step; what its caller said and what tools have found is not among it. */
function readStep(step: JsonObject): AnswerPart[] {
  if (step.type === 'model_output') return asArray(step.content).flatMap(readContent)
  if (step.type === 'thought') return asArray(step.summary).flatMap(readThought)
  if (!isCall(step)) return []
  const id = asText(step.id) ?? ''
  return [{ type: 'tool-call', id, name: nameOf(step), input: JSON.stringify(step.arguments ?? {}) }]
}

/** A step, or a piece of one, in which the model has something done: by its caller, or by a tool of Google's. */
export function isCall({ type }: JsonObject): boolean {
  return asText(type)?.endsWith('_call') === true
}

/** Google's own tools have no other name than their kind. */
export function nameOf({ name, type }: JsonObject): string {
  return asText(name) ?? asText(type) ?? ''
}

function readThought(content: Json): AnswerPart[] {
  const text = asText(asObject(content)?.text)
  return text ? [{ type: 'thinking', text }] : []
}

export function readContent(content: Json | undefined): AnswerPart[] {
  const { type, text, data, mime_type } = asObject(content) ?? {}
  if (type === 'text') return typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []
  if (typeof data !== 'string' || data === '') return []
  return [{ type: 'media', data, mediaType: asText(mime_type) || 'application/octet-stream' }]
}
