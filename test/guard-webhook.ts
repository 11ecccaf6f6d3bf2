import type { JsonObject } from '../server/dialects/json.ts'
import { serveLoopback } from './serve-loopback.ts'

type Verdict = (asked: JsonObject) => JsonObject

const allow: Verdict = () => ({ action: 'allow' })

/** A service of the operator's that a guard asks about texts. */
export class GuardWebhook {
  /** What it was asked since the last reset. */
  readonly asked: JsonObject[] = []
  verdict: Verdict = allow
  readonly #server: Bun.Server<unknown>

  constructor() {
    this.#server = serveLoopback(async request => {
      const body = (await request.json()) as JsonObject
      this.asked.push(body)
      return Response.json(this.verdict(body))
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/`
  }

  reset(): void {
    this.asked.length = 0
    this.verdict = allow
  }

  async close(): Promise<void> {
    await this.#server.stop(true)
  }
}
