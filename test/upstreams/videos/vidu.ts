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

const states = { waiting: 'queueing', working: 'processing', done: 'success', failed: 'failed' } as const
/** How many pictures each address wants. */
const pictures: Readonly<Record<string, (count: number) => boolean>> = {
  text2video: count => count === 0,
  img2video: count => count === 1,
  'start-end2video': count => count === 2,
  reference2video: count => count >= 1 && count <= 7,
}

export function startVidu(key = 'vda_7741f0c2b9a84e55_q2'): FakeVideoVendor {
  return startVideoPlace({
    key,
    newId: count => String(916_205_061_116_000 + count),
    answer(asked, place) {
      if (asked.headers.get('authorization') !== `Token ${key}`)
        throw wrong(401, 'Unauthorized', `bad token ${asked.headers.get('authorization')}`)
      const [, ent, version, kind = '', id, rest] = asked.path.split('/')
      if (ent !== 'ent' || version !== 'v2') throw wrong(404, '', 'page')
      if (asked.method === 'POST' && kind in pictures && id === undefined) return create(asked, kind, place)
      if (asked.method !== 'GET' || kind !== 'tasks' || rest !== 'creations') throw wrong(404, '', 'page')
      const video = place.videos.get(id ?? '')
      if (!video) throw wrong(404, 'TaskNotFound', 'task not found')
      return Response.json(show(video, place))
    },
  })
}

function create(asked: Asked, kind: string, place: Place): Response {
  const refuse = (text: string): Wrong => wrong(400, 'FieldInvalid', text)
  const { images = [] } = asked.json as { images?: unknown[] }
  checkFields(
    asked.json,
    {
      model: value => /^vidu(q\d|[12]\.)/.test(String(value)),
      prompt: isText,
      images: value => Array.isArray(value) && value.every(isPicture('with head')),
      duration: value => isWhole(value) && (value as number) <= 10,
      resolution: oneOf('360p', '540p', '720p', '1080p'),
      ...(kind === 'text2video' || kind === 'reference2video'
        ? { aspect_ratio: oneOf('16:9', '9:16', '3:4', '4:3', '1:1') }
        : {}),
      seed: isWhole,
      movement_amplitude: oneOf('auto', 'small', 'medium', 'large'),
      bgm: isFlag,
      watermark: isFlag,
      ...(kind === 'text2video' && { style: oneOf('general', 'anime') }),
      ...(kind === 'img2video' && { audio: isFlag, voice_id: isText }),
    },
    refuse,
  )
  if (!pictures[kind]?.(images.length)) throw refuse(`${images.length} images for ${kind}`)
  const { id } = place.add(asked.json)
  return Response.json({
    task_id: id,
    state: 'created',
    ...asked.json,
    payload: '',
    off_peak: false,
    credits: 20,
    created_at: '2025-01-01T15:41:31.968916Z',
  })
}

function show(video: MadeVideo, place: Place): object {
  const isDone = video.stage === 'done'
  return {
    id: video.id,
    state: states[video.stage],
    err_code: video.reason,
    credits: 4,
    payload: '',
    creations: isDone ? [{ id: '1', url: place.fileOf(video), cover_url: '', watermarked_url: '' }] : [],
  }
}

function wrong(status: number, reason: string, message: string): Wrong {
  if (reason === '') return new Wrong(status, '<h1>404</h1>', message)
  return new Wrong(status, { code: status, reason, message, metadata: { trace_id: '6f0c' } }, message)
}
