import type { JsonObject } from '../json.ts'
import type { Message, NeutralRequest, ToolResultPart } from '../spec.ts'
import type { ModelVersion } from './model-version.ts'
import { pairResults, type Turn } from './pair-results.ts'
import { CallNames } from './tool-names.ts'
import { writePart, writeResult, writeResultMedia } from './write-parts.ts'

/** Documented by Google for calls that did not come from Gemini. From 3 on a call without signature is refused. */
const NO_SIGNATURE = 'skip_thought_signature_validator'

interface OpenTurn extends Turn {
  readonly results: JsonObject[]
  readonly parts: JsonObject[]
}

export function writeContents(request: NeutralRequest, version: ModelVersion): JsonObject {
  const system = collectSystem(request)
  const contents = collectTurns(request.messages, version).map(turn => ({
    role: turn.role,
    parts: [...turn.results, ...turn.parts],
  }))
  // A conversation of nothing but instructions still needs a turn to answer.
  if (contents.length === 0) return { contents: [{ role: 'user', parts: toParts(system) }] }
  return system.length > 0 ? { systemInstruction: { parts: toParts(system) }, contents } : { contents }
}

/** Gemini knows instructions only at the start: later ones are added to them. */
function collectSystem(request: NeutralRequest): string[] {
  const later = request.messages.flatMap(message => (message.role === 'system' ? message.parts : []))
  return [...request.system, ...later].flatMap(part =>
    part.type === 'text' && part.text !== '' ? [part.text] : [],
  )
}

function toParts(texts: readonly string[]): JsonObject[] {
  return texts.map(text => ({ text }))
}

function collectTurns(messages: readonly Message[], version: ModelVersion): readonly Turn[] {
  const turns: OpenTurn[] = []
  const names = new CallNames()
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'user' ? 'user' : 'model'
    const last = turns.at(-1)
    const turn: OpenTurn = last?.role === role ? last : { role, results: [], parts: [] }
    names.learn(message)
    fillTurn(turn, message, names, version)
    if (turn !== last && turn.results.length + turn.parts.length > 0) turns.push(turn)
  }
  if (version.major >= 3) for (const turn of turns) signFirstCall(turn)
  return pairResults(turns)
}

function fillTurn(turn: OpenTurn, message: Message, names: CallNames, version: ModelVersion): void {
  for (const part of message.parts) {
    if (part.type === 'tool-result') addResult(turn, part, names, version)
    else {
      const written = writePart(part)
      if (written) turn.parts.push(written)
    }
  }
}

/** Results carry media from 3 on; before that it stands beside them. */
function addResult(turn: OpenTurn, part: ToolResultPart, names: CallNames, version: ModelVersion): void {
  const media = writeResultMedia(part)
  const inside = version.major >= 3
  turn.results.push(writeResult(part, part.name ?? names.find(part.callId), inside ? media : []))
  if (!inside) turn.parts.push(...media)
}

function signFirstCall(turn: OpenTurn): void {
  const first = turn.parts.find(part => part.functionCall !== undefined)
  if (first && first.thoughtSignature === undefined) first.thoughtSignature = NO_SIGNATURE
}
