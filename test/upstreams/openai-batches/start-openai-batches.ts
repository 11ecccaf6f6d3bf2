import { type Asked, type FakeServer, onlyFields, serveFake, Wrong } from '../../tasks/fake-server.ts'

interface FakeFile {
  id: string
  object: 'file'
  bytes: number
  created_at: number
  filename: string
  purpose: 'batch' | 'batch_output'
  status: 'processed'
  expires_at: number
}

export interface FakeBatch {
  id: string
  object: 'batch'
  endpoint: string
  errors: { object: 'list'; data: object[] } | null
  input_file_id: string
  completion_window: string
  status: string
  output_file_id: string | null
  error_file_id: string | null
  created_at: number
  in_progress_at: number | null
  expires_at: number
  finalizing_at: number | null
  completed_at: number | null
  failed_at: number | null
  expired_at: number | null
  cancelling_at: number | null
  cancelled_at: number | null
  request_counts: { total: number; completed: number; failed: number }
  metadata: Record<string, string> | null
}

interface FakeLine {
  custom_id: string
  url: string
  body: Record<string, unknown>
}

export interface FakeBatches extends FakeServer {
  readonly key: string
  readonly files: Map<string, FakeFile>
  readonly batches: Map<string, FakeBatch>
  /** Creates the next batch and says nothing of it. */
  silent: boolean
  /** What an upload waits for before it is answered. */
  gate: (() => Promise<void>) | undefined
  linesOf(batch: FakeBatch): FakeLine[]
  /** Goes on to another state of a batch that is not over. */
  advance(batch: FakeBatch, status: 'in_progress' | 'finalizing' | 'failed', errors?: object[]): void
  /** Over, with so many of its requests answered and so many of them with an error. */
  end(batch: FakeBatch, status: string, answered: number, failed?: number): void
  loseFile(id: string): void
}

const endpoints = ['/v1/chat/completions', '/v1/responses', '/v1/completions', '/v1/embeddings']
export const NOW = Math.floor(Date.now() / 1000)
let made = 0

/** What the fake says that a request of a batch used. */
export const USED = { prompt: 120, cached: 20, completion: 30 }

/** As strict as the vendor: one form of upload, its lines, the life of a batch, and ids that only it knows. */
export function startOpenaiBatches(key = 'sk-openai-batches-51f7'): FakeBatches {
  const files = new Map<string, FakeFile>()
  const contents = new Map<string, string>()
  const batches = new Map<string, FakeBatch>()
  const place: Pick<FakeBatches, 'silent' | 'gate'> = { silent: false, gate: undefined }
  const server = serveFake(asked => {
    if (asked.headers.get('authorization') !== `Bearer ${key}`) throw wrong('Incorrect API key provided', 401)
    const [, version, kind, id, verb] = asked.path.split('/')
    const address = `${asked.method} ${version}/${kind}${id ? '/id' : ''}${verb ? `/${verb}` : ''}`
    switch (address) {
      case 'POST v1/files':
        return upload(asked)
      case 'GET v1/files/id':
        return Response.json(fileOf(id))
      case 'GET v1/files/id/content':
        return new Response(contents.get(fileOf(id).id), {
          headers: { 'content-type': 'application/octet-stream' },
        })
      case 'DELETE v1/files/id':
        files.delete(fileOf(id).id)
        return Response.json({ id, object: 'file', deleted: true })
      case 'POST v1/batches':
        return create(asked)
      case 'GET v1/batches':
        return list(asked)
      case 'GET v1/batches/id':
        return Response.json(batchOf(id))
      case 'POST v1/batches/id/cancel':
        return cancel(batchOf(id))
      default:
        throw wrong(`Invalid URL (${asked.method} ${asked.path})`, 404)
    }
  })

  function fileOf(id = ''): FakeFile {
    const file = files.get(id)
    if (!file) throw wrong(`No such File object: ${id}`, 404)
    return file
  }

  function batchOf(id = ''): FakeBatch {
    const batch = batches.get(id)
    if (!batch) throw wrong(`No batch found with id '${id}'.`, 404)
    return batch
  }

  async function upload({ form }: Asked): Promise<Response> {
    const file = form?.get('file')
    for (const field of form?.keys() ?? [])
      if (!['file', 'purpose', 'expires_after[anchor]', 'expires_after[seconds]'].includes(field))
        throw wrong(`Unknown parameter: '${field}'`)
    if (form?.get('purpose') !== 'batch') throw wrong("Invalid value for 'purpose'")
    if (!(file instanceof Blob) || !('name' in file) || !String(file.name).endsWith('.jsonl'))
      throw wrong('Invalid file format for Batch API. Must be .jsonl')
    const text = await file.text()
    checkLines(text)
    await place.gate?.()
    return Response.json(addFile(text, 'batch', String(file.name)))
  }

  function create(asked: Asked): Response {
    onlyFields(
      asked,
      ['input_file_id', 'endpoint', 'completion_window', 'metadata', 'output_expires_after'],
      wrong,
    )
    const { input_file_id, endpoint, completion_window, metadata } = asked.json
    const input = fileOf(String(input_file_id))
    if (!endpoints.includes(String(endpoint))) throw wrong(`Invalid value: '${endpoint}'`)
    if (completion_window !== '24h') throw wrong(`Invalid value: '${completion_window}'. Supported: '24h'`)
    const said = Object.entries((metadata ?? {}) as Record<string, unknown>)
    if (said.length > 16 || said.some(([, value]) => typeof value !== 'string'))
      throw wrong("Invalid 'metadata'")
    const batch: FakeBatch = {
      id: `batch_up_${++made}`,
      object: 'batch',
      endpoint: String(endpoint),
      errors: null,
      input_file_id: input.id,
      completion_window: '24h',
      status: 'validating',
      output_file_id: null,
      error_file_id: null,
      created_at: NOW,
      in_progress_at: null,
      expires_at: NOW + 86_400,
      finalizing_at: null,
      completed_at: null,
      failed_at: null,
      expired_at: null,
      cancelling_at: null,
      cancelled_at: null,
      request_counts: { total: 0, completed: 0, failed: 0 },
      metadata: Object.fromEntries(said) as Record<string, string>,
    }
    batches.set(batch.id, batch)
    if (!place.silent) return Response.json(batch)
    place.silent = false
    return Response.json({ error: { message: 'bad gateway', type: 'server_error' } }, { status: 502 })
  }

  function list({ query }: Asked): Response {
    const limit = Number(query.get('limit') ?? 20)
    if (!(limit >= 1 && limit <= 100)) throw wrong("Invalid 'limit'")
    const all = [...batches.values()].reverse()
    const after = query.get('after')
    const from = after === null ? 0 : all.indexOf(batchOf(after)) + 1
    const data = all.slice(from, from + limit)
    const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
    return Response.json({ object: 'list', data, ...ends, has_more: all.length > from + limit })
  }

  function cancel(batch: FakeBatch): Response {
    if (!['validating', 'in_progress', 'finalizing'].includes(batch.status))
      throw wrong(`Cannot cancel a batch with status '${batch.status}'.`, 409)
    Object.assign(batch, { status: 'cancelling', cancelling_at: NOW + 50 })
    return Response.json(batch)
  }

  function addFile(text: string, purpose: FakeFile['purpose'], filename: string): FakeFile {
    const file: FakeFile = {
      id: `file-up-${++made}`,
      object: 'file',
      bytes: Buffer.byteLength(text),
      created_at: NOW,
      filename,
      purpose,
      status: 'processed',
      expires_at: Math.floor(Date.now() / 1000) + 30 * 86_400,
    }
    files.set(file.id, file)
    contents.set(file.id, text)
    return file
  }

  const linesOf = ({ input_file_id }: FakeBatch): FakeLine[] =>
    (contents.get(input_file_id) ?? '')
      .split('\n')
      .filter(Boolean)
      .map(text => JSON.parse(text) as FakeLine)

  return Object.assign(place, server, {
    key,
    files,
    batches,
    linesOf,
    advance(batch: FakeBatch, status: 'in_progress' | 'finalizing' | 'failed', errors?: object[]) {
      if (isOver(batch)) throw new Error(`${batch.id} is over`)
      Object.assign(batch, { status, [`${status}_at`]: NOW + 10 })
      if (status === 'failed') batch.errors = { object: 'list', data: errors ?? [] }
      else batch.request_counts.total = linesOf(batch).length
    },
    end(batch: FakeBatch, status: string, answered: number, failed = 0) {
      if (isOver(batch)) throw new Error(`${batch.id} is over`)
      const lines = linesOf(batch)
      const good = lines.slice(0, answered).map(answer)
      const bad = lines.slice(answered, answered + failed).map(refuse)
      Object.assign(batch, { status, [`${status}_at`]: NOW + 100 })
      batch.request_counts = { total: lines.length, completed: good.length, failed: bad.length }
      const write = (all: object[]) => all.map(one => `${JSON.stringify(one)}\n`).join('')
      if (good.length > 0) batch.output_file_id = addFile(write(good), 'batch_output', 'output.jsonl').id
      if (bad.length > 0) batch.error_file_id = addFile(write(bad), 'batch_output', 'error.jsonl').id
    },
    loseFile(id: string) {
      files.delete(id)
    },
  })
}

function isOver({ status }: FakeBatch): boolean {
  return ['completed', 'failed', 'expired', 'cancelled'].includes(status)
}

function checkLines(text: string): void {
  const seen = new Set<unknown>()
  for (const line of text.split('\n').filter(Boolean)) {
    const { custom_id, method, url, body, ...rest } = JSON.parse(line) as Record<string, unknown>
    if (typeof custom_id !== 'string' || seen.has(custom_id)) throw wrong('Missing or duplicate custom_id')
    seen.add(custom_id)
    if (method !== 'POST' || !endpoints.includes(String(url))) throw wrong('Invalid method or url')
    if (typeof (body as { model?: unknown })?.model !== 'string') throw wrong('Missing model')
    if (Object.keys(rest).length > 0) throw wrong(`Unknown fields: ${Object.keys(rest)}`)
  }
  if (seen.size === 0) throw wrong('The file is empty')
}

function answer({ custom_id, url, body: { model } }: FakeLine, at: number) {
  const { prompt, cached, completion } = USED
  const total_tokens = prompt + completion
  const details = { cached_tokens: cached }
  const bodies: Record<string, object> = {
    '/v1/chat/completions': {
      id: `chatcmpl-${at}`,
      object: 'chat.completion',
      created: NOW,
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: `answer ${at}` }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens,
        prompt_tokens_details: details,
      },
    },
    '/v1/responses': {
      id: `resp_${at}`,
      object: 'response',
      status: 'completed',
      model,
      output: [
        {
          type: 'message',
          id: `msg_${at}`,
          role: 'assistant',
          content: [{ type: 'output_text', text: 'yes' }],
        },
      ],
      usage: { input_tokens: prompt, output_tokens: completion, total_tokens, input_tokens_details: details },
    },
    '/v1/completions': {
      id: `cmpl-${at}`,
      object: 'text_completion',
      model,
      choices: [{ index: 0, text: 'yes', finish_reason: 'stop' }],
      usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens },
    },
    '/v1/embeddings': {
      object: 'list',
      model,
      data: [{ object: 'embedding', index: 0, embedding: [0.25, -0.5] }],
      usage: { prompt_tokens: prompt, total_tokens: prompt },
    },
  }
  const response = { status_code: 200, request_id: `req_${at}`, body: bodies[url] }
  return { id: `batch_req_${at}`, custom_id, response, error: null }
}

function refuse({ custom_id }: FakeLine, at: number) {
  const error = {
    message: 'too long',
    type: 'invalid_request_error',
    param: null,
    code: 'context_length_exceeded',
  }
  const response = { status_code: 400, request_id: `req_e${at}`, body: { error } }
  return { id: `batch_req_e${at}`, custom_id, response, error: null }
}

function wrong(message: string, status = 400): Wrong {
  const type = 'invalid_request_error'
  return new Wrong(status, { error: { message, type, param: null, code: null } }, message)
}
