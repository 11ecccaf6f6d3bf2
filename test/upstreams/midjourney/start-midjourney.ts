import { type Asked, type FakeServer, onlyFields, serveFake, Wrong } from '../../tasks/fake-server.ts'

export interface FakeDrawing {
  id: string
  action: string
  prompt: string
  status: string
  progress: string
  imageUrl: string
  failReason: string
  buttons: { customId: string; label: string }[]
  startTime: number
  finishTime: number
  [field: string]: unknown
}

export interface SubmitAnswer {
  readonly status?: number
  readonly code?: number
  readonly description?: string
  readonly result?: unknown
  readonly properties?: object
  /** Nothing is answered, ever. */
  readonly silent?: true
  /** Accepted, but half of the answer is missing. */
  readonly cut?: true
}

export interface FakeMidjourney extends FakeServer {
  readonly key: string
  readonly drawings: Map<string, FakeDrawing>
  /** From now on a submission takes up to so many milliseconds. */
  pace(ms: number): void
  /** What it says when it is asked after tasks, or how; undefined: the truth. */
  listing(body: (() => Response | Promise<Response>) | undefined): void
  /** From now on seeds and pictures come so late. */
  delay(ms: number): void
  /** From now on its tasks are named by numbers. */
  countTasks(): void
  /** For the next submission. */
  next(answer: SubmitAnswer): void
  change(id: string, change: Partial<FakeDrawing>): void
  succeed(id: string): void
  fail(id: string, reason: string): void
}

export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** What it says of any picture. */
export const WORDS = '1️⃣ a cat on a mat --ar 1:1'

const common = ['state', 'notifyHook', 'botType', 'accountFilter']
const fields: Readonly<Record<string, readonly string[]>> = {
  'submit/imagine': ['prompt', 'base64Array'],
  'submit/change': ['taskId', 'action', 'index'],
  'submit/simple-change': ['content'],
  'submit/describe': ['base64', 'link'],
  'submit/blend': ['base64Array', 'dimensions'],
  'submit/action': ['taskId', 'customId', 'chooseSameChannel'],
  'submit/modal': ['taskId', 'prompt', 'maskBase64'],
  'submit/shorten': ['prompt'],
  'submit/edits': ['prompt', 'image', 'maskBase64'],
  'submit/video': ['taskId', 'index', 'motion', 'prompt', 'image'],
  'submit/upload-discord-images': ['base64Array', 'filter'],
  'insight-face/swap': ['sourceBase64', 'targetBase64'],
}
const places = /^(?:\/mj-(?:fast|turbo|relax))?\/mj\/(.+)$/
let made = 0

/** A drawing proxy that takes nothing it does not know, from nobody without its secret. */
export function startMidjourney(key = 'mj-secret-1f9a7c33', others: readonly string[] = []): FakeMidjourney {
  const drawings = new Map<string, FakeDrawing>()
  const scripts: SubmitAnswer[] = []
  let slowest = 0
  let counts = false
  let lateMs = 0
  let listed: (() => Response | Promise<Response>) | undefined
  const server = serveFake(async asked => {
    if (asked.path.endsWith('image-seed') || asked.path.startsWith('/picture/')) await Bun.sleep(lateMs)
    if (asked.path.startsWith('/moved/')) return moved(asked.path)
    if (asked.path.startsWith('/picture/'))
      return new Response(PICTURE, { headers: { 'content-type': 'image/png' } })
    const secret = asked.headers.get('mj-api-secret') ?? ''
    if (secret !== key && !others.includes(secret)) throw wrong('a wrong secret', 401)
    if (asked.headers.has('authorization')) throw wrong('an authorization header')
    const place = places.exec(asked.path)?.[1] ?? ''
    if (asked.method === 'GET') return answerGet(place)
    if (asked.method !== 'POST') throw wrong('an unknown method', 405)
    if (place === 'task/list-by-condition') {
      onlyFields(asked, ['ids'], wrong)
      if (listed) return listed()
      const ids = asked.json.ids as string[]
      return Response.json(ids.flatMap(id => ownOf(id, asked) ?? []).map(named))
    }
    const known = fields[place]
    if (!known) throw wrong('an unknown address', 404)
    onlyFields(asked, [...known, ...common], wrong)
    if (slowest > 0) await Bun.sleep(Math.random() * slowest)
    return submit(place, asked)
  })

  function answerGet(place: string): Response {
    const [, id = '', verb] = /^task\/([^/]+)\/(fetch|image-seed)$/.exec(place) ?? []
    const drawing = drawings.get(id)
    if (!drawing) throw wrong('an unknown task', 404)
    if (verb === 'fetch') return Response.json(drawing)
    const properties = { discordInstanceId: '118', notifyHook: 'https://gate.example/mj/notify', nonce: '7' }
    return Response.json({ code: 1, description: 'success', result: '3141592653', properties })
  }

  function submit(place: string, asked: Asked): Response | Promise<Response> {
    const { json } = asked
    const origin = originOf(asked)
    if (place === 'submit/action' && !origin?.buttons.some(button => button.customId === json.customId))
      throw wrong('a button that the task does not have')
    if (place === 'submit/imagine' && typeof json.prompt !== 'string') throw wrong('no prompt')
    if (place === 'submit/change' && typeof json.index !== 'number' && json.action !== 'REROLL')
      throw wrong('no index')
    const script = scripts.shift() ?? {}
    if (script.silent) return new Promise(() => {})
    const { code = 1, status = 200 } = script
    // The account that draws is told to whoever asks.
    const properties = { ...script.properties, discordInstanceId: 'account-77' }
    const description = script.description ?? '提交成功'
    if (place === 'submit/upload-discord-images')
      return Response.json({ code, description, result: ['https://cdn.example/1.png'], properties })
    if (code !== 1 && code !== 21 && code !== 22)
      return Response.json({ code, description, properties, result: script.result ?? '' }, { status })
    const id = String(script.result ?? newDrawing(place, asked, origin))
    if (code === 21 && place === 'submit/action') change(id, { status: 'MODAL' })
    if (script.cut)
      return new Response('{"code":1,"resu', { headers: { 'content-type': 'application/json' } })
    const result = counts ? Number(id) : id
    return Response.json({ code, description, result, properties }, { status })
  }

  function named(drawing: FakeDrawing): object {
    return counts ? { ...drawing, id: Number(drawing.id) } : drawing
  }

  /** An account knows its own tasks only. */
  function ownOf(id: string, { headers }: Asked): FakeDrawing | undefined {
    const drawing = drawings.get(id)
    return drawing?.owner === headers.get('mj-api-secret') ? drawing : undefined
  }

  function originOf(asked: Asked): FakeDrawing | undefined {
    const { json } = asked
    const id = json.taskId ?? (typeof json.content === 'string' ? json.content.split(' ')[0] : undefined)
    if (id === undefined) return undefined
    const found = ownOf(String(id), asked)
    if (!found) throw wrong(`a task it does not know: ${id}`)
    return found
  }

  function newDrawing(place: string, { json, headers }: Asked, origin: FakeDrawing | undefined): string {
    if (place === 'submit/modal' && origin) return origin.id
    const id = `17${String(++made).padStart(14, '0')}`
    drawings.set(id, {
      id,
      owner: headers.get('mj-api-secret'),
      action: place.split('/')[1]?.toUpperCase() ?? '',
      prompt: String(json.prompt ?? ''),
      promptEn: String(json.prompt ?? ''),
      description: '',
      state: json.state ?? '',
      submitTime: Date.now(),
      startTime: 0,
      finishTime: 0,
      status: 'SUBMITTED',
      progress: '0%',
      imageUrl: '',
      failReason: '',
      buttons: [],
      properties: { discordInstanceId: 'account-77', finalPrompt: 'final words' },
    })
    return id
  }

  function change(id: string, changed: Partial<FakeDrawing>): void {
    const drawing = drawings.get(id)
    if (!drawing) throw new Error(`no drawing ${id}`)
    Object.assign(drawing, changed)
  }

  return {
    ...server,
    key,
    drawings,
    listing(answer) {
      listed = answer
    },
    pace(ms) {
      slowest = ms
    },
    delay(ms) {
      lateMs = ms
    },
    countTasks() {
      counts = true
    },
    next: answer => void scripts.push(answer),
    change,
    succeed(id) {
      const isDescribed = drawings.get(id)?.action === 'DESCRIBE'
      change(id, {
        ...(isDescribed && { prompt: WORDS, promptEn: WORDS }),
        status: 'SUCCESS',
        progress: '100%',
        imageUrl: `${server.url}/picture/${id}.png`,
        startTime: 1_700_000_000_000,
        finishTime: 1_700_000_060_000,
        buttons: isDescribed ? describedButtons : buttonsOf(id),
      })
    },
    fail: (id, failReason) => change(id, { status: 'FAILURE', progress: '', failReason }),
  }
}

/** Some keep pictures elsewhere and only say where. */
function moved(path: string): Response {
  const location = path.startsWith('/moved/outside/')
    ? 'http://169.254.169.254/latest'
    : path.replace('/moved/', '/picture/')
  return new Response(null, { status: 302, headers: { location } })
}

function buttonsOf(id: string): FakeDrawing['buttons'] {
  return [
    { customId: `MJ::JOB::upsample::2::${id}`, label: 'U2' },
    { customId: `MJ::JOB::variation::1::${id}`, label: 'V1' },
    { customId: `MJ::JOB::high_variation::1::${id}::SOLO`, label: 'Vary (Strong)' },
    { customId: `MJ::JOB::low_variation::1::${id}::SOLO`, label: 'Vary (Subtle)' },
    { customId: `MJ::JOB::pan_left::1::${id}::SOLO`, label: '⬅️' },
    { customId: `MJ::JOB::reroll::0::${id}::SOLO`, label: '🔄' },
    { customId: `MJ::Outpaint::50::1::${id}::SOLO`, label: 'Zoom Out 2x' },
    { customId: `MJ::CustomZoom::${id}`, label: 'Custom Zoom' },
    { customId: `MJ::Inpaint::1::${id}::SOLO`, label: 'Vary (Region)' },
  ]
}

const describedButtons: FakeDrawing['buttons'] = [
  { customId: 'MJ::Job::PicReader::1', label: '1️⃣' },
  { customId: 'MJ::Picread::Retry', label: '🔄' },
  { customId: 'MJ::Job::PicReader::all', label: 'Imagine all' },
]

function wrong(text: string, status = 400): Wrong {
  return new Wrong(status, { code: 4, description: text }, text)
}
