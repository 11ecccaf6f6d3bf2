import { asArray, asObject, asText, type Json, type JsonObject } from '../../dialects/json.ts'
import { refuseNamed } from '../../dialects/refuse.ts'
import type { Destination, PlainConversion } from '../define.ts'
import { picturesGiven, picturesToEdit } from '../kit/edits/pictures-given.ts'
import { encodeSegment } from '../kit/url.ts'
import { at } from './address.ts'

/** Models that answer at once; the older ones promise a task. */
export function drawsAtOnce(model: string): boolean {
  return /^(qwen-image|z-image|wan(2\.[6-9]|[3-9]))/i.test(model)
}

export const promptConversion: PlainConversion = {
  writeRequest: fields => ({
    model: fields.model,
    input: { messages: [{ role: 'user', content: [...writeGiven(fields), { text: fields.prompt }] }] },
    parameters: writeParameters(fields, ['negative_prompt']),
  }),
  readAnswer({ output }) {
    const messages = asArray(asObject(output)?.choices).map(choice => asObject(asObject(choice)?.message))
    return writePictures(messages.flatMap(message => asArray(message?.content)).map(urlOfImage))
  },
}

/** The same with a picture that it is about; without one there is nothing to edit. */
export const editConversion: PlainConversion = {
  ...promptConversion,
  writeRequest(fields, to) {
    if (fields.mask !== undefined) refuseNamed('mask')
    picturesToEdit(fields)
    return promptConversion.writeRequest(fields, to)
  },
}

export const taskConversion: PlainConversion = {
  writeRequest(fields) {
    if (picturesGiven(fields).length > 0) refuseNamed('image')
    return {
      model: fields.model,
      input: {
        prompt: fields.prompt,
        ...(fields.negative_prompt !== undefined && { negative_prompt: fields.negative_prompt }),
      },
      parameters: writeParameters(fields, ['style']),
    }
  },
  nextPath({ output }, to) {
    const { task_id, task_status } = asObject(output) ?? {}
    const isUnderWay = task_status === 'PENDING' || task_status === 'RUNNING' || task_status === 'SUSPENDED'
    return isUnderWay ? pathOfTask(asText(task_id), to) : undefined
  },
  readAnswer({ output }) {
    // Of several pictures some may have failed.
    return writePictures(asArray(asObject(output)?.results).map(urlOfResult))
  },
}

function writeGiven(fields: JsonObject): JsonObject[] {
  return picturesGiven(fields).map(image => ({ image }))
}

function pathOfTask(id: string | undefined, to: Destination): string | undefined {
  if (!id || id === '.' || id === '..') return undefined
  return at(`/api/v1/tasks/${encodeSegment(id)}`)(to)
}

const extras = ['n', 'seed', 'watermark', 'prompt_extend'] as const

/** Pictures come by their address only. */
function writeParameters(fields: JsonObject, more: readonly string[]): JsonObject {
  if (fields.response_format === 'b64_json') refuseNamed('response_format', 'b64_json')
  const parameters: JsonObject = {}
  const size = asText(fields.size)
  if (size !== undefined && size !== 'auto') parameters.size = size.replace('x', '*')
  for (const name of [...extras, ...more]) if (fields[name] !== undefined) parameters[name] = fields[name]
  return parameters
}

function urlOfImage(part: Json): string | undefined {
  return asText(asObject(part)?.image)
}

function urlOfResult(result: Json): string | undefined {
  return asText(asObject(result)?.url)
}

function writePictures(urls: readonly (string | undefined)[]): JsonObject | undefined {
  const data = urls.flatMap(url => (url ? [{ url }] : []))
  return data.length === 0 ? undefined : { created: Math.floor(Date.now() / 1000), data }
}
