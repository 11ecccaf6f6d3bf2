import { type Asked, Wrong } from '../../tasks/fake-server.ts'
import {
  checkFields,
  type FakeVideoVendor,
  isFlag,
  isText,
  type MadeVideo,
  oneOf,
  type Place,
  startVideoPlace,
} from './video-place.ts'

const DOWNLOAD = /^\/v1beta\/files\/([\w-]+):download$/

/** Google's Veo: what was made is fetched with the key, and lies elsewhere. */
export function startVeo(key = 'AIzaSyVeo7c1d2e3f4a5b6c7d8e9'): FakeVideoVendor {
  return startVideoPlace({
    key,
    newId: count => `op${String(count).padStart(10, '0')}`,
    answer(asked, place) {
      if (asked.headers.get('x-goog-api-key') !== key)
        throw wrong(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.')
      const [, model] = /^\/v1beta\/models\/([\w.-]+):predictLongRunning$/.exec(asked.path) ?? []
      if (asked.method === 'POST' && model) return create(asked, model, place)
      const [, file] = DOWNLOAD.exec(asked.path) ?? []
      const [, operation] = /^\/v1beta\/models\/[\w.-]+\/operations\/(\w+)$/.exec(asked.path) ?? []
      const video = place.videos.get(operation ?? file ?? '')
      if (asked.method !== 'GET' || !video) throw wrong(404, 'NOT_FOUND', 'Requested entity was not found.')
      if (file === undefined) return Response.json(show(video, place))
      if (asked.query.get('alt') !== 'media') throw wrong(400, 'INVALID_ARGUMENT', 'alt=media is missing')
      return Response.redirect(place.fileOf(video), 302)
    },
  })
}

function create(asked: Asked, model: string, place: Place): Response {
  const refuse = (text: string): Wrong => wrong(400, 'INVALID_ARGUMENT', text)
  if (!model.startsWith('veo-'))
    throw wrong(404, 'NOT_FOUND', `models/${model} is not found for API version v1beta`)
  const isPicture = (value: unknown): boolean => {
    const { bytesBase64Encoded, mimeType, ...others } = value as Record<string, unknown>
    return Object.keys(others).length === 0 && isText(bytesBase64Encoded) && /^image\//.test(String(mimeType))
  }
  const hasOne = (value: unknown): boolean => Array.isArray(value) && value.length === 1
  checkFields(asked.json, { instances: hasOne, parameters: value => typeof value === 'object' }, refuse)
  const [instance = {}] = asked.json.instances as Record<string, unknown>[]
  checkFields(instance, { prompt: isText, image: isPicture, lastFrame: isPicture }, refuse)
  checkFields(
    asked.json.parameters as Record<string, unknown>,
    {
      sampleCount: oneOf(1),
      durationSeconds: oneOf(4, 6, 8),
      aspectRatio: oneOf('16:9', '9:16'),
      resolution: oneOf('720p', '1080p', '4k'),
      negativePrompt: isText,
      personGeneration: isText,
      enhancePrompt: isFlag,
    },
    refuse,
  )
  return Response.json({ name: nameOf(place.add({ ...asked.json, model })) })
}

function nameOf({ id, asked }: MadeVideo): string {
  return `models/${asked.model}/operations/${id}`
}

function show(video: MadeVideo, place: Place): object {
  const name = nameOf(video)
  if (video.stage === 'waiting' || video.stage === 'working') return { name }
  if (video.stage === 'failed' && video.reason.startsWith('filtered')) {
    const filtered = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: [video.reason] }
    return { name, done: true, response: { '@type': TYPE, generateVideoResponse: filtered } }
  }
  if (video.stage === 'failed') return { name, done: true, error: { code: 13, message: video.reason } }
  const uri = `${place.url.replace('127.0.0.1', 'files.vendor.test')}/v1beta/files/${video.id}:download?alt=media`
  const generateVideoResponse = { generatedSamples: [{ video: { uri } }] }
  return { name, done: true, response: { '@type': TYPE, generateVideoResponse } }
}

const TYPE = 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse'

function wrong(code: number, status: string, message: string): Wrong {
  return new Wrong(code, { error: { code, message, status } }, message)
}
