import type { FakeFiles } from './fake-files.ts'
import { type Asked, denied, invalid, onlyFields, urisIn, Wrong } from './wire.ts'

interface FakeCache {
  readonly account: string
  name: string
  displayName: string
  model: string
  createTime: string
  updateTime: string
  expireTime: string
  usageMetadata: { totalTokenCount: number }
}

/** What every cache holds, and what each file adds. */
export const CACHED = { words: 5000, file: 258 }
let made = 0

/** Contents that later requests begin with, by the model that they are for. */
export class FakeCaches {
  readonly all = new Map<string, FakeCache>()
  readonly #files: FakeFiles

  constructor(files: FakeFiles) {
    this.#files = files
  }

  serve(asked: Asked): Response {
    const { method, path, account } = asked
    if (path === '/v1beta/cachedContents') {
      if (method === 'POST') return this.#create(asked)
      if (method !== 'GET') throw new Wrong(404, 'NOT_FOUND', 'no such method')
      const cachedContents = [...this.all.values()].filter(one => one.account === account).map(shown)
      return Response.json({ cachedContents })
    }
    const cache = this.#find(account, path.slice('/v1beta/'.length))
    if (method === 'GET') return Response.json(shown(cache))
    if (method === 'DELETE') {
      this.all.delete(cache.name)
      return Response.json({})
    }
    if (method !== 'PATCH') throw new Wrong(404, 'NOT_FOUND', 'no such method')
    onlyFields(asked.json, ['expireTime'])
    if (asked.query.get('updateMask') !== 'expireTime') throw invalid('updateMask is wrong')
    cache.expireTime = timeIn(asked.json.expireTime)
    return Response.json(shown(cache))
  }

  /** By a request that begins with it: how many tokens that are. */
  read(account: string, name: string, model: string): number {
    const cache = this.#find(account, name)
    if (cache.model !== model)
      throw invalid(
        `Model used by GenerateContent request (${model}) and CachedContent (${cache.model}) has to be the same.`,
      )
    return cache.usageMetadata.totalTokenCount
  }

  #find(account: string, name: string): FakeCache {
    const cache = this.all.get(name)
    if (!cache || cache.account !== account || Date.parse(cache.expireTime) <= Date.now())
      throw denied('CachedContent not found (or permission denied)')
    return cache
  }

  #create({ json, account }: Asked): Response {
    onlyFields(json, [
      'model',
      'contents',
      'systemInstruction',
      'tools',
      'toolConfig',
      'displayName',
      'expireTime',
    ])
    const { model, displayName } = json
    if (!/^models\/[\w.-]+$/.test(String(model))) throw invalid('model is wrong')
    if (String(displayName ?? '').length > 128) throw invalid('displayName is too long')
    const uris = urisIn(json.contents)
    for (const uri of uris) this.#files.read(account, uri)
    const now = new Date().toISOString()
    const cache: FakeCache = {
      account,
      name: `cachedContents/vendor${++made}`,
      displayName: String(displayName ?? ''),
      model: String(model),
      createTime: now,
      updateTime: now,
      expireTime: timeIn(json.expireTime),
      usageMetadata: { totalTokenCount: CACHED.words + CACHED.file * uris.length },
    }
    this.all.set(cache.name, cache)
    return Response.json(shown(cache))
  }
}

function timeIn(value: unknown): string {
  const ms = Date.parse(String(value))
  if (!(ms > Date.now())) throw invalid(`expireTime is not in the future: ${value}`)
  return new Date(ms).toISOString()
}

function shown({ account: _, ...cache }: FakeCache): object {
  return cache
}
