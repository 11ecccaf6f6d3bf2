import { AppError } from '../../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { refuseNamed } from '../refuse.ts'
import type { NeutralRequest } from '../spec.ts'
import { readOptionalText } from './check-fields.ts'
import { normaliseNames } from './normalise-names.ts'
import { readConfig } from './read-config.ts'
import { readContents, readSystem } from './read-contents.ts'
import { readToolChoice, readTools } from './read-tools.ts'

/** What Google keeps, and what it alone can do to an answer. */
const bound = ['cachedContent', 'continuationToken', 'modelArmorConfig', 'outputConfig'] as const

/**
 * The model and whether to stream are in the address, not in the body. Lost on the way to another dialect:
 * `safetySettings` (every vendor has its own), `labels`, `store`, where the user is, how media are looked at, and
 * which of its models Google thinks fit.
 */
export function readRequest(
  body: JsonObject,
  path: { readonly model?: string; readonly stream?: boolean },
): NeutralRequest {
  const named = normaliseNames(body)
  if (!path.model) throw new AppError('relay.model-required')
  for (const field of bound) if (isGiven(named[field])) refuseNamed(field)
  const toolChoice = readToolChoice(named.toolConfig)
  const serviceTier = readOptionalText(named.serviceTier, 'serviceTier')?.toLowerCase()
  return {
    model: path.model,
    stream: path.stream === true,
    system: readSystem(named.systemInstruction),
    messages: readContents(named.contents),
    tools: readTools(named.tools),
    ...(toolChoice && { toolChoice }),
    ...(serviceTier && { serviceTier }),
    ...readConfig(named.generationConfig),
  }
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== ''
}
