import type { StreamReader } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/index.ts'
import { type JsonObject, parseObject } from '../../dialects/json.ts'
import { refusePart } from '../../dialects/refuse.ts'
import type { NeutralRequest, Part } from '../../dialects/spec.ts'
import type { Destination, VendorForm } from '../define.ts'
import type { Emit } from '../kit/answers/answer-stream.ts'
import { foldSystem, joinTextParts } from './fold-system.ts'
import { modelOf } from './models.ts'
import { readFailure, readPiece, readProblem } from './read-failure.ts'

const chat = dialects['openai-chat']

/**
 * Nearly OpenAI's chat. As its answers have no finish and mostly no model, they are always written anew,
 * for clients of that dialect too.
 */
export const openForm: VendorForm = {
  writeRequest,
  readAnswer: chat.readAnswer,
  readUsage: chat.readUsage,
  createReader: () => new OpenReader(),
  readProblem,
}

const unknownFields = ['stream_options', 'seed', 'verbosity', 'service_tier', 'prompt_cache_key'] as const

function writeRequest(request: NeutralRequest, to: Destination): JsonObject {
  const model = modelOf(to)
  // Only the older ones lack it; what is not known by name is newer.
  const asked = model === undefined || model.system ? request : foldSystem(request)
  const messages = asked.messages.map(({ role, parts }) => ({
    role,
    parts: joinTextParts(checkParts(parts)),
  }))
  const body = chat.writeRequest({ ...asked, messages }, { ...to, model: model?.domain ?? to.model })
  for (const name of unknownFields) delete body[name]
  return body
}

function checkParts(parts: readonly Part[]): readonly Part[] {
  const media = parts.find(({ type }) => type === 'image' || type === 'audio' || type === 'file')
  if (media) refusePart(media.type)
  return parts
}

const GOOD = '{"code":0,'
const CODED = '{"code":'
const FAILED = '{"error":'

class OpenReader implements StreamReader {
  readonly #reader = chat.createReader()
  readonly mayVary = this.#reader.mayVary
  #failed = false

  read(event: string, data: string, emit: Emit): void {
    if (this.#failed) return
    const strange = (data.startsWith(CODED) && !data.startsWith(GOOD)) || data.startsWith(FAILED)
    const piece = strange ? parseObject(data) : undefined
    const problem = piece && (readPiece(piece) ?? readFailure(piece))
    if (!problem) return this.#reader.read(event, data, emit)
    this.#failed = true
    emit({ type: 'problem', problem })
  }

  end(emit: Emit): boolean {
    return this.#reader.end(emit) && !this.#failed
  }
}
