import { randomBytes } from 'node:crypto'
import { type Answer, Client } from '../client.ts'
import { openRig, type Rig } from '../relay/rig.ts'

/** The program on a database of its own, with no limit on how often it may be asked. */
export async function openApi(databaseUrl: string, options: Record<string, string> = {}): Promise<Rig> {
  return openRig(
    async seed => {
      for (const [key, value] of Object.entries({ GlobalApiRateLimit: '0', ...options }))
        await seed.setOption(key, value)
    },
    { DATABASE_URL: databaseUrl },
  )
}

/** Someone who calls with a system access token. */
export class TokenClient extends Client {
  readonly id: number
  readonly #token: string

  private constructor(url: string, id: number, token: string) {
    super(url)
    this.id = id
    this.#token = token
  }

  static async of({ store, url }: Rig, userId: number): Promise<TokenClient> {
    const token = randomBytes(24).toString('base64url')
    await store.db
      .updateTable('users')
      .set({ access_token_hash: store.cipher.hash('access-token', token) })
      .where('id', '=', userId)
      .execute()
    return new TokenClient(url, userId, token)
  }

  override send(method: string, path: string, options: Parameters<Client['send']>[2] = {}): Promise<Answer> {
    return super.send(method, path, {
      ...options,
      headers: { authorization: this.#token, ...options.headers },
    })
  }

  /** A body exactly as it is written, for numbers that JSON.stringify would not write. */
  async sendText(method: string, path: string, body: string): Promise<Answer['json']> {
    const headers = { authorization: this.#token, 'content-type': 'application/json' }
    return (await fetch(`${this.url}${path}`, { method, headers, body })).json()
  }
}
