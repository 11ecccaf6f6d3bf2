import type { FakeFiles } from './fake-files.ts'
import { type Asked, invalid, onlyFields, urisIn, Wrong } from './wire.ts'

interface FakeRequest {
  readonly request: Record<string, unknown>
  readonly metadata?: object
  /** In a file. */
  readonly key?: string
}

export interface FakeBatch {
  readonly account: string
  readonly name: string
  readonly displayName: string
  readonly model: string
  readonly createTime: string
  readonly requests: readonly FakeRequest[]
  /** '' where its requests came along. */
  readonly file: string
  state: string
  output: object[] | undefined
  responsesFile: string | undefined
  /** Once it is over. */
  succeeded: number | undefined
}

/** What the stand-in says that a request of a batch used. */
export const USED = { prompt: 120, cached: 20, thoughts: 5, output: 25 }
let made = 0

/** Requests that come inlined or in a file, the life of a batch, and names that only its account knows. */
export class FakeBatches {
  readonly all = new Map<string, FakeBatch>()
  readonly #files: FakeFiles

  constructor(files: FakeFiles) {
    this.#files = files
  }

  serve(asked: Asked): Response {
    const { method, path, account } = asked
    const [, model] = /^\/v1beta\/(models\/[^/:]+):batchGenerateContent$/.exec(path) ?? []
    if (model !== undefined && method === 'POST') return this.#create(asked, model)
    if (path === '/v1beta/batches' && method === 'GET') {
      const own = [...this.all.values()].filter(one => one.account === account).reverse()
      return Response.json({ operations: own.map(one => shown({ ...one, output: undefined })) })
    }
    const [, name = '', verb] = /^\/v1beta\/(batches\/[\w-]+)(:cancel)?$/.exec(path) ?? []
    const batch = this.all.get(name)
    if (!batch || batch.account !== account)
      throw new Wrong(404, 'NOT_FOUND', 'Requested entity was not found.')
    if (method === 'GET') return Response.json(shown(batch))
    if (method === 'DELETE') this.all.delete(name)
    else if (method !== 'POST' || verb === undefined) throw new Wrong(404, 'NOT_FOUND', 'no such method')
    return Response.json({})
  }

  /** Over, with so many of its requests answered, and the others gone wrong. */
  end(batch: FakeBatch, state: string, answered: number, tells = true): void {
    batch.state = state
    if (!tells) return
    const output = batch.requests.map(({ metadata, key }, at) => {
      const answer =
        at < answered ? { response: answerOf(batch, at) } : { error: { code: 3, message: 'too long' } }
      return { ...(key !== undefined && { key }), ...answer, ...(metadata && { metadata }) }
    })
    batch.succeeded = answered
    if (batch.file === '') batch.output = output
    else
      batch.responsesFile = this.#files.make(
        batch.account,
        output.map(one => `${JSON.stringify(one)}\n`).join(''),
      )
  }

  last(): FakeBatch {
    const batch = [...this.all.values()].at(-1)
    if (!batch) throw new Error('there is no batch')
    return batch
  }

  #create({ json, account }: Asked, model: string): Response {
    onlyFields(json, ['batch'])
    const batch = json.batch as Record<string, unknown>
    onlyFields(batch, ['displayName', 'inputConfig'])
    const input = batch.inputConfig as { requests?: { requests?: FakeRequest[] }; fileName?: string }
    onlyFields(input, ['requests', 'fileName'])
    const { fileName: file = '' } = input
    const requests = file === '' ? input.requests?.requests : this.#readFile(account, file)
    if (!requests || requests.length === 0) throw invalid('there are no requests')
    for (const one of requests) {
      onlyFields(one as unknown as Record<string, unknown>, ['request', file === '' ? 'metadata' : 'key'])
      for (const uri of urisIn(one.request.contents)) this.#files.read(account, uri)
    }
    const name = `batches/vendor${++made}`
    const created: FakeBatch = {
      account,
      name,
      displayName: String(batch.displayName),
      model,
      createTime: new Date().toISOString(),
      requests,
      file,
      state: 'BATCH_STATE_PENDING',
      succeeded: undefined,
      output: undefined,
      responsesFile: undefined,
    }
    this.all.set(name, created)
    return Response.json(shown(created))
  }

  #readFile(account: string, name: string): FakeRequest[] {
    return this.#files.linesOf(account, name).map(line => JSON.parse(line) as FakeRequest)
  }
}

function shown(batch: FakeBatch): object {
  const { name, displayName, model, createTime, requests, state, output, responsesFile } = batch
  const good = batch.succeeded ?? (state.endsWith('SUCCEEDED') ? requests.length : 0)
  return {
    name,
    metadata: {
      '@type': 'type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch',
      name,
      model,
      displayName,
      createTime,
      updateTime: createTime,
      state,
      batchStats: { requestCount: String(requests.length), successfulRequestCount: String(good) },
      ...(output && { output: { inlinedResponses: { inlinedResponses: output } } }),
      ...(responsesFile && { output: { responsesFile } }),
    },
    ...(/SUCCEEDED|FAILED|CANCELLED|EXPIRED/.test(state) && { done: true }),
  }
}

function answerOf({ model }: FakeBatch, at: number): object {
  const { prompt, cached, thoughts, output } = USED
  return {
    candidates: [
      { content: { role: 'model', parts: [{ text: `answer ${at}` }] }, finishReason: 'STOP', index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: prompt,
      cachedContentTokenCount: cached,
      thoughtsTokenCount: thoughts,
      candidatesTokenCount: output,
      totalTokenCount: prompt + thoughts + output,
    },
    modelVersion: model,
  }
}
