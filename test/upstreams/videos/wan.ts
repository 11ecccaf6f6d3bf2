import { type Asked, Wrong } from '../../tasks/fake-server.ts'
import {
  checkFields,
  type FakeVideoVendor,
  isFlag,
  isPicture,
  isText,
  isWhole,
  type MadeVideo,
  oneOf,
  type Place,
  startVideoPlace,
} from './video-place.ts'

const SERVICES = '/api/v1/services/aigc'
const states = { waiting: 'PENDING', working: 'RUNNING', done: 'SUCCEEDED', failed: 'FAILED' } as const
const picture = isPicture('with head')
const sizes = ['832*480', '480*832', '1280*720', '720*1280', '960*960', '1920*1080', '1080*1920']

/** Alibaba's Wan: which fields there are depends on the model and on what it begins with. */
export function startWan(key = 'sk-wan-5d0c7a91b2e34f56'): FakeVideoVendor {
  return startVideoPlace({
    key,
    newId: count => `966cebcd-dedc-4962-af88-${String(count).padStart(12, '0')}`,
    answer(asked, place) {
      if (asked.headers.get('authorization') !== `Bearer ${key}`)
        throw wrong(401, 'InvalidApiKey', 'Invalid API-key provided.')
      const [, service] = new RegExp(`^${SERVICES}/([\\w-]+)/video-synthesis$`).exec(asked.path) ?? []
      if (asked.method === 'POST' && service) return create(asked, service, place)
      const [, id] = /^\/api\/v1\/tasks\/([\w-]+)$/.exec(asked.path) ?? []
      if (asked.method !== 'GET' || !id) throw wrong(404, 'NotFound', 'no such page')
      return Response.json(show(place.videos.get(id), id, place))
    },
  })
}

function create(asked: Asked, service: string, place: Place): Response {
  const refuse = (text: string): Wrong => wrong(400, 'InvalidParameter', text)
  if (asked.headers.get('x-dashscope-async') !== 'enable')
    throw wrong(403, 'AccessDenied', 'current user api does not support synchronous calls.')
  const { model, input, parameters } = asked.json as Record<string, Record<string, unknown>>
  const name = String(model)
  if (!/^wan[x\d]/.test(name)) throw wrong(400, 'ModelNotFound', 'Model not exist.')
  checkFields(asked.json, { model: isText, input: Boolean, parameters: Boolean }, refuse)
  const isNewer = /^wan2\.7/.test(name)
  const isPair = service === 'image2video'
  const isFrame = (value: unknown): boolean => {
    const { type, url } = value as { type?: string; url?: string }
    return ['first_frame', 'last_frame'].includes(type ?? '') && picture(url)
  }
  checkFields(
    input ?? {},
    {
      prompt: isText,
      negative_prompt: isText,
      ...(isNewer
        ? { media: value => Array.isArray(value) && value.every(isFrame) }
        : isPair
          ? { first_frame_url: picture, last_frame_url: picture }
          : { img_url: picture }),
    },
    refuse,
  )
  const hasPicture = isPair || input?.img_url !== undefined || input?.media !== undefined
  const shape = { resolution: oneOf('480P', '720P', '1080P') }
  const ratio = { ratio: oneOf('16:9', '9:16', '1:1', '4:3', '3:4') }
  checkFields(
    parameters ?? {},
    {
      ...(hasPicture ? shape : isNewer ? { ...shape, ...ratio } : { size: oneOf(...sizes) }),
      ...(isPair ? {} : { duration: value => isWhole(value) && (value as number) <= 15 }),
      prompt_extend: isFlag,
      watermark: isFlag,
      seed: isWhole,
      shot_type: oneOf('single', 'multi'),
    },
    refuse,
  )
  const { id } = place.add(asked.json)
  return Response.json({ output: { task_status: 'PENDING', task_id: id }, request_id: '4909100c-7b5a' })
}

function show(video: MadeVideo | undefined, id: string, place: Place): object {
  if (!video) return { request_id: 'a4de7c32', output: { task_id: id, task_status: 'UNKNOWN' } }
  const { stage, reason, asked } = video
  const { duration = 5 } = asked.parameters as { duration?: number }
  return {
    request_id: 'caa62a12-8841-41a6-8af2',
    output: {
      task_id: id,
      task_status: states[stage],
      submit_time: '2025-09-29 14:18:52.331',
      ...(stage === 'done' && { video_url: place.fileOf(video), orig_prompt: 'a cat' }),
      ...(stage === 'failed' && { code: 'DataInspectionFailed', message: reason }),
    },
    ...(stage === 'done' && { usage: { video_duration: duration, video_ratio: '1280*720', video_count: 1 } }),
  }
}

function wrong(status: number, code: string, message: string): Wrong {
  return new Wrong(status, { code, message, request_id: '7438d53d-6eb8' }, message)
}
