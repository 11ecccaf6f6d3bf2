import { dialects } from '../../../dialects/index.ts'
import { asArray, asObject, asText, type JsonObject } from '../../../dialects/json.ts'
import { refuseFeature, refuseField } from '../../../dialects/refuse.ts'
import { inputBound } from '../../../relay/counting/estimate-input.ts'
import { mostPerPicture } from '../../../relay/counting/picture-sizes.ts'
import { callsOfPicture } from '../../../relay/order/picture-tokens.ts'
import { lookAtRequest } from '../../../relay/request/look-at-request.ts'
import { refuseAccountData } from '../../../relay/request/refuse-account-data.ts'
import { refuseSensitiveWords } from '../../../relay/request/sensitive-words.ts'
import type { Settings } from '../../../store/settings-snapshot.ts'
import type { LineSize } from '../../batches/extent.ts'

/** Google reads either spelling of a name. */
const known: ReadonlySet<string> = new Set([
  ...['contents', 'systemInstruction', 'tools', 'toolConfig', 'safetySettings', 'generationConfig'],
])
const plain = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Throws for what cannot be had in a batch. */
function refuseUnfit(body: JsonObject): void {
  for (const name of Object.keys(body))
    if (!known.has(plain(name))) refuseFeature('feature.named', { name: name.slice(0, 60) })
  refuseBothSpellings(body)
  refuseBothSpellings(asObject(body.generationConfig ?? body.generation_config) ?? {})
  // What a vendor's own tools find and cost, nobody sees while it is made.
  for (const tool of asArray(body.tools))
    for (const name of Object.keys(asObject(tool) ?? {}))
      if (plain(name) !== 'functionDeclarations')
        refuseFeature('feature.named', { name: `tools.${name.slice(0, 60)}` })
  refuseAccountData(dialects.gemini.accountData, body)
}

/** Nobody knows which of the two would be read. */
function refuseBothSpellings(body: JsonObject): void {
  const seen = new Set<string>()
  for (const name of Object.keys(body)) {
    if (seen.has(plain(name))) refuseField(name.slice(0, 60), 'field.repeated')
    seen.add(plain(name))
  }
}

/** Which model a file of requests is for is said when a batch is made of it. */
const NO_MODEL = 'gemini'

/** The most that a request can use; one that is not allowed is refused. */
export function measureRequest(request: JsonObject, named: string | undefined, settings: Settings): LineSize {
  const model = named ?? NO_MODEL
  refuseUnfit(request)
  const text = JSON.stringify(request)
  refuseSensitiveWords(settings, { text, json: request })
  const seen = lookAtRequest('gemini', { text, json: request }, { model, stream: false })
  const { media, textLength, choices, maxOutput, thinks, speaks } = seen
  return {
    input: inputBound(textLength, media, media.files.most, mostPerPicture(model)),
    answers: choices,
    calls: choices * callsIn(request, named),
    output: maxOutput,
    hasMedia: media.least > 0 || speaks,
    thinks,
  }
}

/** A larger picture is paid as so many usual ones. */
function callsIn(request: JsonObject, model: string | undefined): number {
  const config = asObject(request.generationConfig ?? request.generation_config)
  const kinds = asArray(config?.responseModalities ?? config?.response_modalities)
  const picture = asObject(config?.imageConfig ?? config?.image_config)
  const draws = picture !== undefined || kinds.some(kind => /image/i.test(String(kind)))
  // Who has said which model it is has said that it draws, if it does.
  if (model === undefined && !draws) return 1
  return callsOfPicture(model, asText(picture?.imageSize ?? picture?.image_size))
}
