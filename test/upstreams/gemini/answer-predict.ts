import { asArray, asNumber, asObject, asText } from '../../../server/dialects/json.ts'
import { PIXEL } from '../openai/answer-images.ts'
import type { Answer } from '../script.ts'
import { fields, type Shape } from '../shape.ts'
import { NO_TALLY } from '../tally.ts'
import type { Call, Rendered } from '../upstream.ts'
import { checkModel, checkUnknown } from './check-request.ts'
import { refuseGemini, refuseModel } from './fail.ts'

const PREDICT: Shape = {
  instances: [fields('prompt')],
  parameters: {
    ...fields(`sampleCount aspectRatio imageSize personGeneration safetySetting includeRaiReason
      includeSafetyAttributes negativePrompt guidanceScale seed language addWatermark`),
    outputOptions: fields('mimeType compressionQuality'),
  },
}
const RATIOS = ['1:1', '3:4', '4:3', '9:16', '16:9']
const MOST_PICTURES = 4

export function checkPredict(call: Call): void {
  const model = checkModel(call)
  if (!model.startsWith('imagen-')) refuseModel(model, call.params.version ?? 'v1beta')
  checkUnknown(call, call.body, PREDICT)
  const [instance] = asArray(call.body.instances)
  if (!asText(asObject(instance)?.prompt)) refuseGemini('Text prompt is required.')
  const { sampleCount = 1, aspectRatio = '1:1' } = asObject(call.body.parameters) ?? {}
  if (!Number.isInteger(sampleCount) || Number(sampleCount) < 1 || Number(sampleCount) > MOST_PICTURES)
    refuseGemini(`The number of images in sampleCount must be between 1 and ${MOST_PICTURES}, inclusive.`)
  if (!RATIOS.includes(String(aspectRatio)))
    refuseGemini(`aspectRatio must be one of ${RATIOS.join(', ')}; found ${aspectRatio}.`)
}

/** One dark pixel for each picture. Pictures tell no usage. */
export function answerPredict(call: Call, _answer: Answer): Rendered {
  const parameters = asObject(call.body.parameters) ?? {}
  const mimeType = asText(asObject(parameters.outputOptions)?.mimeType) ?? 'image/png'
  const predictions = Array.from({ length: asNumber(parameters.sampleCount) ?? 1 }, () => ({
    mimeType,
    bytesBase64Encoded: PIXEL,
  }))
  return {
    contentType: 'application/json; charset=UTF-8',
    body: JSON.stringify({ predictions }, null, 2),
    tally: NO_TALLY,
  }
}
