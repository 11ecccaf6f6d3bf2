import { type JsonObject, parseObject } from '../../../dialects/json.ts'
import { AppError } from '../../../errors.ts'
import { readText } from '../../../outbound/read-body.ts'

export { ProofRefused } from '../../proof-refused.ts'

export interface Token {
  readonly value: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

const MOST_TOKENS = 2000

/** Tokens by what they were given for. Whoever asks while one is being fetched gets that one. */
export class TokenCache {
  readonly #tokens = new Map<string, Token>()
  readonly #coming = new Map<string, Promise<Token>>()
  readonly #earlyMs: number

  /** A token is not used any more so long before its end. */
  constructor(earlyMs = 60_000) {
    this.#earlyMs = earlyMs
  }

  /** Without waiting where there is one. */
  get(key: string, now: number, fetchToken: () => Promise<Token>): string | Promise<string> {
    const known = this.#tokens.get(key)
    if (known && known.expiresAt - this.#earlyMs > now) return known.value
    const coming = this.#coming.get(key) ?? this.#fetch(key, fetchToken)
    return coming.then(({ value }) => value)
  }

  forget(key: string): void {
    this.#tokens.delete(key)
  }

  #fetch(key: string, fetchToken: () => Promise<Token>): Promise<Token> {
    const coming = fetchToken()
      .then(token => {
        // The oldest goes first.
        if (this.#tokens.size >= MOST_TOKENS)
          for (const old of this.#tokens.keys()) {
            this.#tokens.delete(old)
            break
          }
        this.#tokens.set(key, token)
        return token
      })
      .finally(() => this.#coming.delete(key))
    this.#coming.set(key, coming)
    return coming
  }
}

const LARGEST_ANSWER = 64 * 1024

/** The JSON of a token endpoint's answer, whatever its status. */
export async function readTokenAnswer(response: Response): Promise<JsonObject> {
  const json = parseObject(await readText(response, LARGEST_ANSWER))
  if (!json)
    throw new AppError('outbound.failed', {}, new Error(`a token endpoint answered ${response.status}`))
  return json
}
