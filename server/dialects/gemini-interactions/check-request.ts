import { asArray, asObject, asText, isObject, type Json, type JsonObject } from '../json.ts'
import { refuseFeature, refuseField, refuseNamed } from '../refuse.ts'

/** Refuses what money or access depends on and is said in another way than it is looked for here, or cannot be priced. */
export function checkRequest(body: JsonObject): void {
  refuseCapitals(body)
  const config = body.generation_config
  if (config !== undefined && config !== null && !isObject(config))
    refuseField('generation_config', 'field.object')
  refuseCapitals(asObject(config) ?? {})
  if (isGiven(body.model) && isGiven(body.agent)) refuseField('agent', 'field.twice', { other: 'model' })
  // An agent's price goes by its name, whichever model would think for it.
  if (isGiven(asObject(body.agent_config)?.model)) refuseNamed('agent_config.model')
  // A machine that lives on in the account, and by the hour.
  if (isGiven(body.environment)) refuseNamed('environment')
  if (madeKinds(body).includes('video')) refuseFeature('feature.video-output')
}

/** Who is asked, a model or an agent: a price goes by the name of either. */
export function nameField({ agent }: JsonObject): 'model' | 'agent' {
  return isGiven(agent) ? 'agent' : 'model'
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null
}

/** Google reads names with capitals too; of two spellings of one field nobody knows which counts. */
function refuseCapitals(body: JsonObject): void {
  for (const name in body) {
    const meant = name.replace(/\B[A-Z]/g, letter => `_${letter}`).toLowerCase()
    if (meant !== name) refuseField(name.slice(0, 100), 'field.spelling', { meant: meant.slice(0, 100) })
  }
}

/** Whether the answer is to be spoken. */
export function speaks(body: JsonObject): boolean {
  return madeKinds(body).includes('audio')
}

/** What the answer is to consist of besides text, in either of the ways in which that is said. */
function madeKinds({ response_modalities, response_format }: JsonObject): readonly string[] {
  const formats = Array.isArray(response_format) ? response_format : [response_format]
  const kinds = [...asArray(response_modalities), ...formats.map(one => asObject(one)?.type)]
  return kinds.flatMap(kind => asText(kind)?.toLowerCase() ?? [])
}
