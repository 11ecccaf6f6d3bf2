import { asText, type JsonObject } from '../../../../server/dialects/json.ts'
import { composeReply, cutPieces, type Reply } from '../../reply.ts'
import type { Answer } from '../../script.ts'
import { countTally, type Tally } from '../../tally.ts'
import type { Call, Rendered, Route } from '../../upstream.ts'
import { editUsage } from '../../write-frames.ts'
import { checkInteraction } from './check-interaction.ts'
import { readInteractionTurn } from './read-turn.ts'
import { interactionOf, storedRoutes, storeInteraction } from './stored-interactions.ts'

/** So long an interaction takes. */
export const MADE_SECONDS = 37
const CREATED = '2026-11-13T02:13:20Z'
const UPDATED = '2026-11-13T02:13:57Z'
const STATUS = { stop: 'completed', length: 'incomplete', tools: 'requires_action', filter: 'completed' }

export const interactionRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: /^\/v1\/interactions$/,
    takes: 'json',
    check: checkInteraction,
    answer: writeInteraction,
  },
  ...storedRoutes,
]

export function interactionUsage(tally: Tally): JsonObject {
  const said = tally.output - tally.reasoning
  return {
    total_input_tokens: tally.input,
    total_output_tokens: said,
    total_tokens: tally.input + tally.output,
    ...(tally.cached > 0 ? { total_cached_tokens: tally.cached } : {}),
    ...(tally.reasoning > 0 ? { total_thought_tokens: tally.reasoning } : {}),
    input_tokens_by_modality: [{ modality: 'text', tokens: tally.input }],
    output_tokens_by_modality: [{ modality: 'text', tokens: said }],
  }
}

function writeInteraction(call: Call, answer: Answer): Rendered {
  const { body } = call
  const before = asText(body.previous_interaction_id)
  const turn = readInteractionTurn(body, before === undefined ? '' : interactionOf(call, before).text)
  const reply: Reply = { ...composeReply(turn), ...answer.reply }
  const tally = countTally(turn, reply)
  const usage = editUsage(interactionUsage(tally), answer)
  const begun: JsonObject = {
    id: `${call.newId('v1_', 40)}=`,
    object: 'interaction',
    ...(body.agent === undefined ? { model: turn.model } : { agent: turn.model }),
    created: CREATED,
    updated: UPDATED,
    ...(before !== undefined && { previous_interaction_id: before }),
  }
  const steps = writeSteps(call, reply)
  const finished = {
    ...begun,
    status: STATUS[reply.finish],
    steps,
    ...(usage === undefined ? {} : { usage }),
  }
  const done: JsonObject = answer.whole?.(finished) ?? finished
  const job = body.background === true ? (answer.job ?? {}) : undefined
  const frames = turn.stream ? writeFrames(begun, steps, done, answer) : []
  const text = turn.text + reply.text
  if (body.store !== false) storeInteraction(call, { finished: done, frames, text, job })
  const running = { ...begun, status: 'in_progress', steps: [] }
  if (!turn.stream)
    return { contentType: 'application/json', body: JSON.stringify(job ? running : done), tally }
  return {
    contentType: 'text/event-stream',
    frames,
    moreText: frames.find(frame => frame.includes('"type":"text"')) ?? '',
    errorFrame: frameOf({
      event_type: 'error',
      error: { code: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' },
    }),
    tally,
  }
}

function writeSteps(call: Call, reply: Reply): JsonObject[] {
  const steps: JsonObject[] = []
  if (reply.thinking !== '')
    steps.push({
      type: 'thought',
      signature: call.signatures.issue('', 'thought'),
      summary: [{ type: 'text', text: reply.thinking }],
    })
  if (reply.text !== '') steps.push({ type: 'model_output', content: [{ type: 'text', text: reply.text }] })
  for (const { name, input } of reply.calls)
    steps.push({ type: 'function_call', id: call.newId('call_', 8), name, arguments: input })
  return steps
}

function writeFrames(
  begun: JsonObject,
  steps: readonly JsonObject[],
  done: JsonObject,
  answer: Answer,
): string[] {
  const { steps: _, ...end } = done
  const events: JsonObject[] = [
    { event_type: 'interaction.created', interaction: { ...begun, status: 'in_progress' } },
    {
      event_type: 'interaction.status_update',
      interaction_id: begun.id ?? null,
      status: 'in_progress',
    },
  ]
  for (const [index, step] of steps.entries()) events.push(...eventsOf(step, index, answer))
  events.push({ event_type: 'interaction.completed', interaction: end })
  const frames = [...events.map(numbered).map(frameOf), 'event: done\ndata: [DONE]\n\n']
  return [...(answer.frames?.(frames) ?? frames)]
}

function eventsOf(step: JsonObject, index: number, answer: Answer): JsonObject[] {
  const delta = (given: JsonObject): JsonObject => ({ event_type: 'step.delta', index, delta: given })
  const begin = (given: JsonObject): JsonObject => ({ event_type: 'step.start', index, step: given })
  const stop = { event_type: 'step.stop', index }
  const texts = (list: JsonObject['content']): string =>
    (Array.isArray(list) ? list : []).map(one => String((one as JsonObject).text)).join('')
  if (step.type === 'function_call') {
    const { type, id, name } = step
    const pieces = cutPieces(JSON.stringify(step.arguments), answer.pieceChars ?? 5)
    const given = pieces.map(piece => delta({ type: 'arguments_delta', arguments: piece }))
    return [begin({ type, id: id ?? '', name: name ?? '', arguments: {} }), ...given, stop]
  }
  if (step.type === 'thought') {
    const thought = cutPieces(texts(step.summary), answer.pieceChars)
    return [
      begin({ type: 'thought' }),
      ...thought.map(text => delta({ type: 'thought_summary', content: { type: 'text', text } })),
      delta({ type: 'thought_signature', signature: step.signature ?? '' }),
      stop,
    ]
  }
  const said = cutPieces(texts(step.content), answer.pieceChars)
  return [begin({ type: 'model_output' }), ...said.map(text => delta({ type: 'text', text })), stop]
}

/** By marks that tell no order. */
function numbered(event: JsonObject, at: number): JsonObject {
  return { ...event, event_id: Buffer.from(`event ${at}`).toString('base64url') }
}

function frameOf(event: JsonObject): string {
  return `event: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`
}
