import { AppError } from '../../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import { refuseNamed } from '../refuse.ts'
import type { NeutralRequest } from '../spec.ts'
import { readOptionalText } from './check-fields.ts'
import { normaliseNames } from './normalise-names.ts'
import { readConfig } from './read-config.ts'
import { readContents, readSystem } from './read-contents.ts'
import { readToolChoice, readTools } from './read-tools.ts'

/**
 * The model and whether to stream are in the address, not in the body. Lost on the way to another dialect:
 * `safetySettings` (every vendor has its own), `labels`, where the user is, and how closely media are looked at.
 */
export function readRequest(
  body: JsonObject,
  path: { readonly model?: string; readonly stream?: boolean },
): NeutralRequest {
  const named = normaliseNames(body)
  if (!path.model) throw new AppError('relay.model-required')
  for (const state of ['cachedContent', 'continuationToken']) if (isGiven(named[state])) refuseNamed(state)
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
