import { type Asked, type FakeServer, onlyFields, serveFake, Wrong } from '../../tasks/fake-server.ts'

/** One file of one account. */
export interface FakeFile {
  readonly account: string
  readonly id: string
  readonly filename: string
  readonly mime_type: string
  readonly text: string
  readonly created_at: string
  readonly expires_at: string | null
  /** Only what a tool made can be fetched. */
  readonly downloadable: boolean
}

export interface FakeFiles extends FakeServer {
  readonly keys: readonly string[]
  readonly files: Map<string, FakeFile>
  /** Batches that were begun, by the account. */
  readonly batches: { readonly account: string; readonly requests: unknown[] }[]
  /** The next upload is refused with this. */
  refusing: number | undefined
  /** Told when an answer has begun; it goes on when that is over. */
  paused: (() => Promise<void>) | undefined
  filesOf(account: string): FakeFile[]
}

/** What every answer is said to have read and written, besides files. */
export const READ = { prompt: 100, file: 1500, output: 10 }
const VERSIONS = ['2023-06-01', '2026-10-21']
const LARGEST_LIFE = 7_776_000
const BETA = 'files-api-2025-04-14'
let made = 0

/** Anthropic with several accounts, each of which knows only what is its own: its headers, its fields, its words. */
export function startAnthropicFiles(keys: readonly string[] = ['sk-ant-one', 'sk-ant-two']): FakeFiles {
  const files = new Map<string, FakeFile>()
  const batches: FakeFiles['batches'] = []
  const place: Pick<FakeFiles, 'refusing' | 'paused'> = { refusing: undefined, paused: undefined }
  const server = serveFake(asked => {
    const account = asked.headers.get('x-api-key') ?? ''
    if (!keys.includes(account)) throw wrong('invalid x-api-key', 401, 'authentication_error')
    if (asked.headers.get('authorization') !== null) throw wrong('two kinds of keys')
    if (!VERSIONS.includes(asked.headers.get('anthropic-version') ?? ''))
      throw wrong('anthropic-version: header is required')
    if (asked.path === '/v1/messages') return answer(account, asked)
    if (asked.path === '/v1/messages/count_tokens')
      return Response.json({ input_tokens: inputOf(account, asked) })
    if (asked.path === '/v1/messages/batches' && asked.method === 'POST') return begin(account, asked)
    if (!betasOf(asked).includes(BETA)) throw wrong(`anthropic-beta: ${BETA} is required`)
    const [, , kind, id, rest] = asked.path.split('/')
    if (kind !== 'files') throw wrong('Not found', 404, 'not_found_error')
    switch (`${asked.method}${id ? ' id' : ''}${rest ? ` ${rest}` : ''}`) {
      case 'POST':
        return upload(account, asked)
      case 'GET id':
        return Response.json(shown(fileOf(account, id)))
      case 'GET id content':
        return download(fileOf(account, id))
      case 'DELETE id':
        files.delete(fileOf(account, id).id)
        return Response.json({ id, type: 'file_deleted' })
      default:
        throw wrong('lists are of all callers: nobody may see them', 404, 'not_found_error')
    }
  })

  function fileOf(account: string, id = ''): FakeFile {
    const file = files.get(id)
    if (file?.account !== account) throw wrong(`File not found: ${id}`, 404, 'not_found_error')
    return file
  }

  async function upload(account: string, { form }: Asked): Promise<Response> {
    if (place.refusing !== undefined) {
      const status = place.refusing
      place.refusing = undefined
      const error = { type: 'overloaded_error', message: 'Overloaded' }
      return Response.json({ type: 'error', error }, { status })
    }
    const file = form?.get('file')
    if (!(file instanceof Blob)) throw wrong('file: Field required')
    for (const name of form?.keys() ?? [])
      if (name !== 'file' && name !== 'expires_in_seconds') throw wrong(`${name}: Extra inputs`)
    const life = Number(form?.get('expires_in_seconds') ?? 0)
    if (life !== 0 && !(life >= 3600 && life <= LARGEST_LIFE)) throw wrong('expires_in_seconds: out of range')
    const { name = 'unnamed', type } = file as File
    return Response.json(
      shown(add(account, { filename: name, mime_type: type, text: await file.text(), life })),
    )
  }

  function add(
    account: string,
    { filename, mime_type, text, life = 0, downloadable = false }: Made,
  ): FakeFile {
    const file: FakeFile = {
      ...{ account, id: `file_011C${String(++made).padStart(20, '0')}`, filename, mime_type, text },
      created_at: new Date().toISOString(),
      expires_at: life === 0 ? null : new Date(Date.now() + life * 1000).toISOString(),
      downloadable,
    }
    files.set(file.id, file)
    return file
  }

  function download({ downloadable, text, mime_type }: FakeFile): Response {
    if (!downloadable) throw wrong('This file cannot be downloaded.', 400, undefined, 'file_not_downloadable')
    return new Response(text, { headers: { 'content-type': mime_type } })
  }

  /** Throws where the account does not have what is named. */
  function inputOf(account: string, asked: Asked): number {
    const ids = idsIn(asked.json.messages)
    if (ids.length > 0 && !betasOf(asked).includes(BETA)) throw wrong(`anthropic-beta: ${BETA} is required`)
    for (const id of ids) fileOf(account, id)
    return READ.prompt + READ.file * ids.length
  }

  function begin(account: string, asked: Asked): Response {
    onlyFields(asked, ['requests'], wrong)
    const requests = asked.json.requests as { params: { messages: unknown } }[]
    for (const { params } of requests) for (const id of idsIn(params.messages)) fileOf(account, id)
    batches.push({ account, requests })
    const counts = { processing: requests.length, succeeded: 0, errored: 0, canceled: 0, expired: 0 }
    return Response.json({
      ...{ id: `msgbatch_up_${++made}`, type: 'message_batch', processing_status: 'in_progress' },
      ...{ request_counts: counts, ended_at: null, cancel_initiated_at: null, archived_at: null },
      ...{ results_url: null, created_at: new Date().toISOString() },
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    })
  }

  function answer(account: string, asked: Asked): Response {
    const input_tokens = inputOf(account, asked)
    const usage = { input_tokens, output_tokens: READ.output }
    const text = { type: 'text', text: `seen ${idsIn(asked.json.messages).length}` }
    const runs = Array.isArray(asked.json.tools)
    const content: Record<string, unknown>[] = runs ? [...runCode(account), text] : [text]
    const message = { id: `msg_${++made}`, type: 'message', role: 'assistant', model: asked.json.model }
    const end = { stop_reason: 'end_turn', stop_sequence: null }
    if (asked.json.stream !== true) return Response.json({ ...message, content, ...end, usage })
    const begun = { ...message, content: [], stop_reason: null, stop_sequence: null }
    const frames = [
      { type: 'message_start', message: { ...begun, usage: { input_tokens, output_tokens: 1 } } },
      ...content.flatMap((block, index) => framesOf(block, index)),
    ]
    const last = [{ type: 'message_delta', delta: end, usage }, { type: 'message_stop' }]
    const { paused } = place
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const frame of frames) controller.enqueue(frameOf(frame))
        await paused?.()
        for (const frame of last) controller.enqueue(frameOf(frame))
        controller.close()
      },
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  }

  /** What the vendor's own tool does, and the file that it wrote. */
  function runCode(account: string): Record<string, unknown>[] {
    const { id } = add(account, {
      ...{ filename: 'chart.csv', mime_type: 'text/csv', text: 'a,b\n1,2\n', downloadable: true },
    })
    const content = [{ type: 'bash_code_execution_output', file_id: id }]
    const result = { type: 'bash_code_execution_result', stdout: '', stderr: '', return_code: 0, content }
    const tool_use_id = `srvtoolu_${made}`
    return [
      {
        ...{ type: 'server_tool_use', id: tool_use_id, name: 'bash_code_execution' },
        input: { command: 'plot' },
      },
      { type: 'bash_code_execution_tool_result', tool_use_id, content: result },
    ]
  }

  return Object.assign(place, server, {
    keys,
    files,
    batches,
    filesOf: (account: string) => [...files.values()].filter(file => file.account === account),
  })
}

interface Made {
  readonly filename: string
  readonly mime_type: string
  readonly text: string
  readonly life?: number
  readonly downloadable?: boolean
}

function framesOf(block: Record<string, unknown>, index: number): object[] {
  const isText = block.type === 'text'
  const start = isText ? { type: 'text', text: '' } : block
  return [
    { type: 'content_block_start', index, content_block: start },
    ...(isText
      ? [{ type: 'content_block_delta', index, delta: { type: 'text_delta', text: block.text } }]
      : []),
    { type: 'content_block_stop', index },
  ]
}

function frameOf(frame: object): Uint8Array {
  return Buffer.from(`event: ${(frame as { type: string }).type}\ndata: ${JSON.stringify(frame)}\n\n`)
}

function shown({ account: _, text, ...file }: FakeFile): object {
  return { type: 'file', ...file, size_bytes: Buffer.byteLength(text) }
}

/** Those that messages have read, or put where code runs. */
function idsIn(messages: unknown): string[] {
  const blocks = (messages as { content: unknown }[]).flatMap(({ content }) =>
    Array.isArray(content) ? (content as Record<string, unknown>[]) : [],
  )
  return blocks.flatMap(({ type, file_id, source }) => {
    const { type: kind, file_id: inside } = (source ?? {}) as Record<string, unknown>
    if (type === 'container_upload') return [String(file_id)]
    return kind === 'file' ? [String(inside)] : []
  })
}

function betasOf({ headers }: Asked): string[] {
  return (headers.get('anthropic-beta') ?? '').split(',').map(beta => beta.trim())
}

function wrong(message: string, status = 400, type = 'invalid_request_error', error_code?: string): Wrong {
  const details = error_code && { details: { error_code } }
  return new Wrong(status, { type: 'error', error: { type, message, ...details } }, message)
}
