import { asObject } from '../../../server/dialects/json.ts'
import { type Asked, type FakeServer, onlyFields, serveFake, Wrong } from '../../tasks/fake-server.ts'

export interface FakeVideo {
  id: string
  object: 'video'
  model: string
  status: 'queued' | 'in_progress' | 'completed' | 'failed'
  progress: number
  created_at: number
  completed_at: number | null
  expires_at: number | null
  error: { code: string; message: string } | null
  prompt: string
  seconds: string
  size: string
  remixed_from_video_id: string | null
}

export interface FakeVideos extends FakeServer {
  readonly key: string
  readonly videos: Map<string, FakeVideo>
  /** Something else stands at its address for now. */
  misled: 'by a page' | 'by another vendor' | undefined
  /** A gateway to others, which goes by `duration`. */
  heedsDuration: boolean
  /** ... or by `resolution`, `mode`, `sound` and `voice_list`. */
  heedsKinds: boolean
  /** ... or by all of that, and by `metadata` and `extra_body` before it; it serves any model, and does not tell how long it makes one. */
  isGateway: boolean
  /** ... unless it does: however long one was asked for, it says that it makes this. */
  says: string | undefined
  change(id: string, change: Partial<FakeVideo>): void
}

const lengths = ['4', '8', '12']
const sizes = ['720x1280', '1280x720', '1024x1792', '1792x1024']
export const VIDEO = Buffer.from('00000018667479706d703432', 'hex')
export const THUMBNAIL = Buffer.from('524946460000000057454250', 'hex')
let made = 0

/** As strict as the vendor: its models, its lengths, its sizes, and ids that only it knows. */
export function startOpenaiVideos(key = 'sk-openai-9c04aa51f7'): FakeVideos {
  const videos = new Map<string, FakeVideo>()
  const place: Pick<FakeVideos, 'misled' | 'heedsDuration' | 'heedsKinds' | 'isGateway' | 'says'> = {
    misled: undefined,
    heedsDuration: false,
    heedsKinds: false,
    isGateway: false,
    says: undefined,
  }
  const server = serveFake(asked => {
    if (place.misled === 'by a page') return new Response('<h1>404 Not Found</h1>', { status: 404 })
    if (place.misled)
      return Response.json(wrong(`Invalid URL (GET ${asked.path})`, 404).body, { status: 404 })
    if (asked.headers.get('authorization') !== `Bearer ${key}`) throw wrong('Incorrect API key provided', 401)
    const [, , kind, id, verb] = asked.path.split('/')
    if (kind !== 'videos') throw wrong(`Invalid URL (${asked.method} ${asked.path})`, 404)
    if (asked.method === 'POST' && id === undefined) return create(asked)
    const video = videos.get(id ?? '')
    if (!video) throw wrong('Video not found', 404)
    if (asked.method === 'GET' && verb === undefined) return Response.json(video)
    if (asked.method === 'GET' && verb === 'content') return content(asked, video)
    if (asked.method === 'DELETE' && verb === undefined) return remove(video)
    if (asked.method === 'POST' && verb === 'remix') return remix(asked, video)
    throw wrong(`Invalid URL (${asked.method} ${asked.path})`, 404)
  })

  function create(asked: Asked): Response {
    const lasts = place.heedsDuration || place.isGateway ? ['duration', 'seconds'] : ['seconds']
    const kinds = place.heedsKinds ? ['resolution', 'mode', 'sound', 'voice_list'] : []
    if (place.isGateway) kinds.push('resolution', 'mode', 'metadata', 'extra_body', 'fallbacks')
    const known = ['model', 'prompt', 'size', 'input_reference', ...lasts, ...kinds]
    if (asked.form)
      for (const field of asked.form.keys()) if (!known.includes(field)) throw wrong(`Unknown: ${field}`)
    onlyFields(asked, known, wrong)
    const read = (field: string): unknown => asked.form?.get(field) ?? asked.json[field]
    const {
      model = 'sora-2',
      seconds = '4',
      size = '720x1280',
    } = {
      model: read('model') ?? undefined,
      seconds: lasts.map(read).find(Boolean),
      size: read('size') ?? undefined,
    }
    const prompt = read('prompt')
    if (typeof prompt !== 'string' || prompt === '') throw wrong("Missing required parameter: 'prompt'")
    if (place.isGateway) return Response.json({ ...add(asGateway(asked)), seconds: place.says })
    if (model !== 'sora-2' && model !== 'sora-2-pro') throw wrong(`The model '${model}' does not exist`)
    if (!lengths.includes(String(seconds))) throw wrong(`Invalid value: '${seconds}'`)
    if (!sizes.includes(String(size))) throw wrong(`Invalid value: '${size}'`)
    return Response.json(add({ model, prompt, seconds: String(seconds), size: String(size) }))
  }

  function asGateway({ json }: Asked) {
    const { model, prompt, size, seconds, duration } = {
      ...json,
      ...asObject(json.metadata),
      ...asObject(json.extra_body),
    }
    return {
      ...{ model: String(model), prompt: String(prompt), size: String(size ?? '') },
      seconds: String(duration ?? seconds ?? 4),
    }
  }

  function remix(asked: Asked, from: FakeVideo): Response {
    onlyFields(asked, ['prompt'], wrong)
    if (from.status !== 'completed') throw wrong('Only completed videos can be remixed')
    const { model, seconds, size, id } = from
    return Response.json(
      add({ model, seconds, size, prompt: String(asked.json.prompt), remixed_from_video_id: id }),
    )
  }

  function content(asked: Asked, video: FakeVideo): Response {
    if (video.status !== 'completed') throw wrong('Video is not ready yet', 404)
    const isVideo = (asked.query.get('variant') ?? 'video') === 'video'
    return new Response(isVideo ? VIDEO : THUMBNAIL, {
      headers: { 'content-type': isVideo ? 'video/mp4' : 'image/webp' },
    })
  }

  function remove(video: FakeVideo): Response {
    if (video.status !== 'completed' && video.status !== 'failed')
      throw wrong('The video is still being made')
    videos.delete(video.id)
    return Response.json({ id: video.id, object: 'video.deleted', deleted: true })
  }

  function add(
    given: Partial<FakeVideo> & Pick<FakeVideo, 'model' | 'prompt' | 'seconds' | 'size'>,
  ): FakeVideo {
    const video: FakeVideo = {
      id: `video_up_${++made}`,
      object: 'video',
      status: 'queued',
      progress: 0,
      created_at: 1_760_000_000,
      completed_at: null,
      expires_at: null,
      error: null,
      remixed_from_video_id: null,
      ...given,
    }
    videos.set(video.id, video)
    return video
  }

  return Object.assign(place, server, {
    key,
    videos,
    change(id: string, change: Partial<FakeVideo>) {
      const video = videos.get(id)
      if (!video) throw new Error(`no video ${id}`)
      Object.assign(video, change)
    },
  })
}

function wrong(message: string, status = 400): Wrong {
  const type = 'invalid_request_error'
  return new Wrong(status, { error: { message, type, param: null, code: null } }, message)
}
