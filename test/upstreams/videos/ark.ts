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

const TASKS = '/api/v3/contents/generations/tasks'
const roles = ['first_frame', 'last_frame', 'reference_image']
const statuses = { waiting: 'queued', working: 'running', done: 'succeeded', failed: 'failed' } as const

/** VolcEngine's Ark: Seedance, with its lengths, and no word of them in the prompt. */
export function startArk(key = 'ark-0f7ac1d2-77aa-4c0f-9a31'): FakeVideoVendor {
  return startVideoPlace({
    key,
    newId: count => `cgt-20260606160057-${String(count).padStart(5, 'a')}`,
    answer(asked, place) {
      if (asked.headers.get('authorization') !== `Bearer ${key}`)
        throw wrong(
          401,
          'AuthenticationError',
          `the API key ${asked.headers.get('authorization')} is not valid`,
        )
      if (asked.method === 'POST' && asked.path === TASKS) return create(asked, place)
      const video = place.videos.get(asked.path.slice(TASKS.length + 1))
      if (!asked.path.startsWith(`${TASKS}/`)) throw wrong(404, 'NotFound', 'no such page')
      if (!video) throw wrong(404, 'ResourceNotFound', 'The specified task is not found')
      if (asked.method === 'DELETE') {
        if (video.stage === 'working') throw wrong(409, 'Conflict', 'the task is running')
        place.videos.delete(video.id)
        return Response.json({})
      }
      return Response.json(show(video, place))
    },
  })
}

function create(asked: Asked, place: Place): Response {
  const refuse = (text: string): Wrong => wrong(400, 'InvalidParameter', text)
  checkFields(
    asked.json,
    {
      model: value => /^doubao-seedance-/.test(String(value)),
      content: value => Array.isArray(value) && value.length > 0,
      resolution: oneOf('480p', '720p', '1080p'),
      ratio: oneOf('16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'),
      duration: value => isWhole(value) && (value as number) >= 2 && (value as number) <= 12,
      seed: isWhole,
      camera_fixed: isFlag,
      watermark: isFlag,
      generate_audio: isFlag,
    },
    refuse,
  )
  if (asked.json.model === undefined) throw refuse('model is missing')
  for (const part of asked.json.content as Record<string, unknown>[]) {
    if (part.type === 'text') {
      checkFields(part, { type: isText, text: isText }, refuse)
      // It would make what was not paid for.
      if (/--\w/.test(String(part.text))) throw refuse('a command in the prompt')
    } else
      checkFields(
        part,
        {
          type: oneOf('image_url'),
          role: oneOf(...roles),
          image_url: value => isPicture('with head')((value as { url?: string }).url),
        },
        refuse,
      )
  }
  return Response.json({ id: place.add(asked.json).id })
}

function show(video: MadeVideo, place: Place): object {
  const { id, asked, stage } = video
  const isDone = stage === 'done'
  return {
    id,
    model: asked.model,
    status: statuses[stage],
    ...(stage === 'failed' && {
      error: { code: 'OutputVideoSensitiveContentDetected', message: video.reason },
    }),
    ...(isDone && {
      content: { video_url: place.fileOf(video) },
      usage: { completion_tokens: 246840, total_tokens: 246840 },
      seed: 58944,
      resolution: asked.resolution ?? '720p',
      ratio: asked.ratio ?? '16:9',
      duration: asked.duration ?? 5,
      framespersecond: 24,
      service_tier: 'default',
      execution_expires_after: 172800,
    }),
    created_at: 1765510475,
    updated_at: 1765510559,
  }
}

function wrong(status: number, code: string, message: string): Wrong {
  return new Wrong(status, { error: { code, message, param: '', type: 'BadRequest' } }, message)
}
