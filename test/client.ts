import type { AnyJson } from './any-json.ts'
import { ROOT_PASSWORD } from './program.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  json: AnyJson
}

interface Options {
  body?: unknown
  headers?: Record<string, string>
}

/** A person at a browser, as far as HTTP shows: keeps the cookie and names itself. */
export class Client {
  readonly url: string
  cookie: string | undefined
  userId: number | undefined

  constructor(url: string) {
    this.url = url
  }

  async send(method: string, path: string, options: Options = {}): Promise<Answer> {
    const headers: Record<string, string> = { ...options.headers }
    if (this.cookie) headers.cookie ??= `session=${this.cookie}`
    if (this.userId !== undefined) headers['new-api-user'] ??= String(this.userId)
    for (const name of Object.keys(headers)) if (headers[name] === '') delete headers[name]
    const body = options.body === undefined ? undefined : JSON.stringify(options.body)
    if (body !== undefined) headers['content-type'] ??= 'application/json'
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers,
      ...(body ? { body } : {}),
      redirect: 'manual',
      // Between two calls of a slow test the program may close a connection that rests, just as it is used again.
      keepalive: false,
    })
    const cookie = /session=([^;]*)/.exec(response.headers.get('set-cookie') ?? '')?.[1]
    if (cookie !== undefined) this.cookie = cookie || undefined
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parse(text) }
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.send('GET', path, headers ? { headers } : {})
  }

  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.send('POST', path, { body, ...(headers ? { headers } : {}) })
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.send('PUT', path, { body })
  }

  async login(username: string, password: string): Promise<Answer> {
    const answer = await this.post('/api/user/login', { username, password })
    if (answer.json?.success) this.userId = answer.json.data.id
    return answer
  }

  async saveOption(key: string, value: string): Promise<Answer> {
    return this.put('/api/option/', { key, value })
  }

  /** Of calls by address: a test makes more of them than anyone. */
  async liftLimits(): Promise<void> {
    for (const key of ['CriticalRateLimit', 'GlobalApiRateLimit']) {
      const { json, text } = await this.saveOption(key, '0')
      if (!json?.success) throw new Error(text)
    }
  }
}

export async function loggedIn(url: string, username: string, password: string): Promise<Client> {
  const client = new Client(url)
  const answer = await client.login(username, password)
  if (!answer.json?.success) throw new Error(`${username} could not log in: ${answer.text}`)
  return client
}

export function rootClient(url: string): Promise<Client> {
  return loggedIn(url, 'root', ROOT_PASSWORD)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
