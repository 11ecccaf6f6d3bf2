import { type FakeServer, onlyFields, serveFake, Wrong } from '../../tasks/fake-server.ts'

export interface FakeSong {
  task_id: string
  action: string
  status: string
  fail_reason: string
  submit_time: number
  start_time: number
  finish_time: number
  data: unknown
}

export interface FakeSuno extends FakeServer {
  readonly key: string
  readonly songs: Map<string, FakeSong>
  /** The next submission is answered so. */
  next(answer: { status?: number; body: object }): void
  change(id: string, change: Partial<FakeSong>): void
}

const fields: Readonly<Record<string, readonly string[]>> = {
  music: [
    'prompt',
    'gpt_description_prompt',
    'mv',
    'title',
    'tags',
    'make_instrumental',
    'continue_clip_id',
    'continue_at',
    'task_id',
  ],
  lyrics: ['prompt'],
}

export function startSuno(key = 'suno-secret-2b6e0d41'): FakeSuno {
  const songs = new Map<string, FakeSong>()
  const scripts: { status?: number; body: object }[] = []
  const server = serveFake(asked => {
    if (asked.headers.get('authorization') !== `Bearer ${key}`) throw wrong('a wrong key', 401)
    if (asked.method !== 'POST') throw wrong('an unknown method', 405)
    if (asked.path === '/suno/fetch') {
      onlyFields(asked, ['ids'], wrong)
      const data = (asked.json.ids as string[]).flatMap(id => songs.get(id) ?? [])
      return Response.json({ code: 'success', message: '', data })
    }
    const kind = /^\/suno\/submit\/(music|lyrics)$/.exec(asked.path)?.[1]
    if (kind === undefined) throw wrong('an unknown address', 404)
    onlyFields(asked, fields[kind] ?? [], wrong)
    if (kind === 'music' && typeof asked.json.mv !== 'string') throw wrong('no mv')
    if (asked.json.task_id !== undefined && !songs.has(String(asked.json.task_id)))
      throw wrong('a task it does not know')
    const script = scripts.shift()
    if (script) return Response.json(script.body, { status: script.status ?? 200 })
    const task_id = crypto.randomUUID()
    const action = kind.toUpperCase()
    const times = { submit_time: 1_700_000_000, start_time: 0, finish_time: 0 }
    songs.set(task_id, { task_id, action, status: 'SUBMITTED', fail_reason: '', ...times, data: [] })
    return Response.json({ code: 'success', message: '', data: task_id })
  })
  return {
    ...server,
    key,
    songs,
    next: answer => void scripts.push(answer),
    change(id, change) {
      const song = songs.get(id)
      if (!song) throw new Error(`no song ${id}`)
      Object.assign(song, change)
    },
  }
}

function wrong(text: string, status = 400): Wrong {
  return new Wrong(status, { code: 'invalid_request', message: text, data: null }, text)
}
