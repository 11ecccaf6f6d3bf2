import { createHmac } from 'node:crypto'
import { type Asked, Wrong } from '../../tasks/fake-server.ts'
import {
  checkFields,
  type FakeVideoVendor,
  isPicture,
  isText,
  type MadeVideo,
  oneOf,
  type Place,
  startVideoPlace,
} from './video-place.ts'

const stages = { waiting: 'submitted', working: 'processing', done: 'succeed', failed: 'failed' } as const
const shared = {
  model_name: (value: unknown) => /^kling-v\d/.test(String(value)),
  negative_prompt: isText,
  sound: oneOf('on', 'off'),
  cfg_scale: (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1,
  mode: oneOf('std', 'pro'),
  camera_control: (value: unknown) => typeof value === 'object',
  duration: oneOf('5', '10'),
}
const picture = isPicture('bare')

/** Kling, with its tokens: who it is, from when and until when, proved by the secret. */
export function startKling(key = 'AKling7f0c55d1e2|sk-kling-91b2c3d4e5f60718'): FakeVideoVendor {
  const [access = '', secret = ''] = key.split('|')
  return startVideoPlace({
    key,
    newId: count => String(800_000_000_000 + count),
    answer(asked, place) {
      checkToken(asked, access, secret)
      const [, version, videos, kind, id] = asked.path.split('/')
      if (version !== 'v1' || videos !== 'videos' || !['text2video', 'image2video'].includes(kind ?? ''))
        throw wrong(404, 1202, 'invalid method')
      if (asked.method === 'POST' && id === undefined) return create(asked, kind ?? '', place)
      const video = place.videos.get(id ?? '')
      if (asked.method !== 'GET' || !video || 'image' in video.asked !== (kind === 'image2video'))
        throw wrong(404, 1203, 'The requested resource is not found')
      return Response.json(cover(show(video, place)))
    },
  })
}

function checkToken(asked: Asked, access: string, secret: string): void {
  const token = /^Bearer (.+)$/.exec(asked.headers.get('authorization') ?? '')?.[1] ?? ''
  const [head = '', claims = '', proof = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}')
  const isSigned = createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url') === proof
  const { alg, typ } = read(head)
  const { iss, exp, nbf } = read(claims)
  if (!isSigned || alg !== 'HS256' || typ !== 'JWT' || iss !== access)
    throw wrong(401, 1002, `Authorization is invalid: ${token}`)
  const now = Date.now() / 1000
  if (!(nbf <= now)) throw wrong(401, 1003, 'Authorization is not active yet')
  if (!(exp > now && exp < now + 3600)) throw wrong(401, 1004, 'Authorization is expired')
}

function create(asked: Asked, kind: string, place: Place): Response {
  const refuse = (text: string): Wrong => wrong(400, 1201, text)
  const known =
    kind === 'text2video'
      ? { ...shared, prompt: isText, aspect_ratio: oneOf('16:9', '9:16', '1:1') }
      : { ...shared, prompt: isText, image: picture, image_tail: picture, static_mask: picture }
  checkFields(asked.json, known, refuse)
  if (kind === 'image2video' && !asked.json.image) throw refuse('image is required')
  if (kind === 'text2video' && !asked.json.prompt) throw refuse('prompt is required')
  const { id } = place.add(asked.json)
  const at = { created_at: 1722769557708, updated_at: 1722769557708 }
  return Response.json(cover({ task_id: id, task_info: {}, task_status: 'submitted', ...at }))
}

function show(video: MadeVideo, place: Place): object {
  const { id, stage, reason, asked } = video
  const made = { id: `v${id}`, url: place.fileOf(video), duration: `${asked.duration}.1` }
  return {
    task_id: id,
    task_status: stages[stage],
    task_status_msg: reason,
    task_info: {},
    ...(stage === 'done' && { task_result: { videos: [made] } }),
    created_at: 1722769557708,
    updated_at: 1722769558708,
  }
}

function cover(data: object): object {
  return { code: 0, message: 'SUCCEED', request_id: 'CjMT7WdSwWcAAAAAALvB3g', data }
}

function wrong(status: number, code: number, message: string): Wrong {
  return new Wrong(status, { code, message, request_id: 'CjMT7WdSwWcAAAAAALvB3g' }, message)
}
