import { serveLoopback } from '../../serve-loopback.ts'
import { FakeBatches } from './fake-batches.ts'
import { FakeCaches } from './fake-caches.ts'
import { FakeFiles } from './fake-files.ts'
import { type Asked, denied, type Told, urisIn, Wrong } from './wire.ts'

/** One Gemini of several accounts, each of which knows only what is its own. */
export interface FakeKept {
  readonly url: string
  readonly keys: readonly string[]
  /** New keys of accounts that are known by their first ones. */
  readonly renewed: Map<string, string>
  readonly asked: Told[]
  readonly complaints: string[]
  readonly files: FakeFiles
  readonly caches: FakeCaches
  readonly batches: FakeBatches
  /** The next request for this way is answered with this, where `done` after it was done; with 0 never. */
  fail: { readonly way: string; readonly status: number; readonly done?: true } | undefined
  stop(): Promise<void>
}

/** What every answer is said to have read and written, besides files and caches. */
export const READ = { prompt: 100, file: 258, output: 10 }

export function startGeminiKept(keys: readonly string[] = ['AIza-kept-one', 'AIza-kept-two']): FakeKept {
  const asked: Told[] = []
  const complaints: string[] = []
  const renewed = new Map<string, string>()
  const place: { fail: FakeKept['fail'] } = { fail: undefined }
  const server = serveLoopback(async request => {
    const read = await readAsked(request).catch(() => undefined)
    // It was broken off before its end: nobody hears the answer.
    if (!read) return new Response(null, { status: 400 })
    const one = { ...read, account: renewed.get(read.account) ?? read.account }
    const { bytes: _, ...told } = one
    asked.push(told)
    try {
      const { fail } = place
      if (fail && one.way.startsWith(fail.way)) {
        place.fail = undefined
        if (fail.done) answer(one)
        if (fail.status === 0) return new Promise<Response>(() => {})
        const error = { code: fail.status, message: 'as the test wants it', status: 'UNAVAILABLE' }
        return Response.json({ error }, { status: fail.status })
      }
      return answer(one)
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      complaints.push(`${one.way}: ${error.message}`)
      return error.answer()
    }
  })
  const url = `http://127.0.0.1:${server.port}`
  const files = new FakeFiles(url)
  const caches = new FakeCaches(files)
  const batches = new FakeBatches(files)

  function answer(one: Asked): Response {
    const isUpload = one.path === '/upload/v1beta/files' && one.query.has('upload_id')
    if (!isUpload && !keys.includes(one.account)) throw denied('Method doesn’t allow unregistered callers')
    if (one.path === '/upload/v1beta/files') return files.upload(one)
    if (one.path.startsWith('/v1beta/files')) return files.serve(one)
    if (/^\/v1beta\/batches(?:\/|$)|:batchGenerateContent$/.test(one.path)) return batches.serve(one)
    if (one.path.startsWith('/v1beta/cachedContents')) return caches.serve(one)
    if (/^\/v1beta\/models\/[^/:]+:generateContent$/.test(one.path)) return generate(one)
    if (/^\/v1beta\/models\/[^/:]+:countTokens$/.test(one.path)) return count(one)
    if (one.way === 'POST /v1/interactions') return interact(one)
    throw new Wrong(404, 'NOT_FOUND', `no such address ${one.way}`)
  }

  function count({ account, json }: Asked): Response {
    const uris = urisIn(json.contents)
    for (const uri of uris) files.read(account, uri)
    return Response.json({ totalTokens: READ.prompt + READ.file * uris.length })
  }

  function generate(one: Asked): Response {
    const model = one.path.slice('/v1beta/'.length, one.path.lastIndexOf(':'))
    const uris = urisIn(one.json.contents)
    for (const uri of uris) files.read(one.account, uri)
    const { cachedContent } = one.json
    const cached = cachedContent === undefined ? 0 : caches.read(one.account, String(cachedContent), model)
    const promptTokenCount = READ.prompt + READ.file * uris.length + cached
    return Response.json({
      candidates: [
        {
          content: { role: 'model', parts: [{ text: `seen ${uris.length}` }] },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount,
        ...(cached > 0 && { cachedContentTokenCount: cached }),
        candidatesTokenCount: READ.output,
        totalTokenCount: promptTokenCount + READ.output,
      },
      modelVersion: 'gemini-kept',
      responseId: crypto.randomUUID(),
    })
  }

  /** By the account that has it. */
  const interactions = new Set<string>()

  function interact({ account, json }: Asked): Response {
    const contents = (json.input as { content?: Record<string, unknown>[] }[]).flatMap(
      step => step.content ?? [],
    )
    const uris = contents.flatMap(({ uri }) => (typeof uri === 'string' ? [uri] : []))
    for (const uri of uris) files.read(account, uri)
    const before = json.previous_interaction_id
    if (before !== undefined && !interactions.has(`${account} ${String(before)}`))
      throw new Wrong(404, 'NOT_FOUND', 'Interaction not found.')
    const { cached_content } = json
    const model = `models/${String(json.model)}`
    const cached = cached_content === undefined ? 0 : caches.read(account, String(cached_content), model)
    const id = `v1_${crypto.randomUUID().replaceAll('-', '')}`
    interactions.add(`${account} ${id}`)
    return Response.json({
      ...{ id, object: 'interaction', status: 'completed', model: json.model },
      steps: [{ type: 'model_output', content: [{ type: 'text', text: `seen ${uris.length}` }] }],
      usage: {
        total_input_tokens: READ.prompt + READ.file * uris.length + cached,
        total_output_tokens: READ.output,
        ...(cached > 0 && { total_cached_tokens: cached }),
      },
    })
  }

  return Object.assign(place, {
    url,
    keys,
    renewed,
    asked,
    complaints,
    files,
    caches,
    batches,
    stop: () => server.stop(true),
  })
}

async function readAsked(request: Request): Promise<Asked> {
  const { pathname, searchParams } = new URL(request.url)
  const bytes = new Uint8Array(await request.arrayBuffer())
  const isJson = (request.headers.get('content-type') ?? '').startsWith('application/json')
  return {
    way: `${request.method} ${pathname}`,
    method: request.method,
    path: pathname,
    query: searchParams,
    headers: request.headers,
    account: request.headers.get('x-goog-api-key') ?? '',
    bytes,
    json: isJson && bytes.length > 0 ? JSON.parse(new TextDecoder().decode(bytes)) : {},
  }
}
