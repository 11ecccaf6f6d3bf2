import { type Asked, Wrong } from '../../tasks/fake-server.ts'
import {
  checkFields,
  type FakeVideoVendor,
  isFlag,
  isPicture,
  isText,
  type MadeVideo,
  oneOf,
  type Place,
  startVideoPlace,
} from './video-place.ts'

const words = { waiting: 'Queueing', working: 'Processing', done: 'Success', failed: 'Fail' } as const
const good = { status_code: 0, status_msg: 'success' }

/** MiniMax's Hailuo: refuses with a good status and a number, and keeps what it made as a file. */
export function startHailuo(key = 'eyJhbGciOiJSUzI1NiJ9.hailuo77'): FakeVideoVendor {
  return startVideoPlace({
    key,
    newId: count => String(106_916_112_212_000 + count),
    answer(asked, place) {
      if (asked.headers.get('authorization') !== `Bearer ${key}`) throw wrong(1004, 'login fail: wrong key')
      if (asked.method === 'POST' && asked.path === '/v1/video_generation') return create(asked, place)
      if (asked.method !== 'GET') throw new Wrong(404, '404 page not found', 'page')
      if (asked.path === '/v1/query/video_generation') {
        const video = place.videos.get(asked.query.get('task_id') ?? '')
        if (!video) throw wrong(2013, 'invalid params, task not found')
        return Response.json(show(video))
      }
      const video = place.videos.get((asked.query.get('file_id') ?? '').slice(1))
      if (asked.path !== '/v1/files/retrieve' || !video) throw wrong(2013, 'invalid params, file not found')
      const download_url = place.fileOf(video)
      const about = {
        bytes: 24,
        created_at: 1700469398,
        filename: 'output_aigc.mp4',
        purpose: 'video_generation',
      }
      return Response.json({ file: { file_id: `9${video.id}`, ...about, download_url }, base_resp: good })
    },
  })
}

function create(asked: Asked, place: Place): Response {
  const refuse = (text: string): Wrong => wrong(2013, `invalid params, ${text}`)
  checkFields(
    asked.json,
    {
      model: value => /^(MiniMax-Hailuo-|[TI]2V-01)/.test(String(value)),
      prompt: isText,
      duration: oneOf(6, 10),
      resolution: oneOf('512P', '720P', '768P', '1080P'),
      first_frame_image: isPicture('with head'),
      last_frame_image: isPicture('with head'),
      prompt_optimizer: isFlag,
      fast_pretreatment: isFlag,
      aigc_watermark: isFlag,
    },
    refuse,
  )
  if (asked.json.resolution === '1080P' && asked.json.duration === 10) throw refuse('1080P has 6 seconds')
  return Response.json({ task_id: place.add(asked.json).id, base_resp: good })
}

function show({ id, stage, reason }: MadeVideo): object {
  const isDone = stage === 'done'
  const base_resp = stage === 'failed' ? { status_code: 1027, status_msg: reason } : good
  const size = isDone ? { file_id: `9${id}`, video_width: 1366, video_height: 768 } : { file_id: '' }
  return { task_id: id, status: words[stage], ...size, base_resp }
}

function wrong(status_code: number, status_msg: string): Wrong {
  return new Wrong(200, { base_resp: { status_code, status_msg } }, status_msg)
}
