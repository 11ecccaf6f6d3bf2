import { serveLoopback } from './serve-loopback.ts'

/** A gateway or a site that publishes prices, and answers nobody who asks in another way than a stranger would. */
export class PricePublisher {
  /** By path. What is not there is not found. */
  pages: Record<string, unknown> = {}
  readonly asked: string[] = []
  readonly complaints: string[] = []
  readonly #server: Bun.Server<unknown>

  constructor() {
    this.#server = serveLoopback(request => this.#answer(request))
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  async close(): Promise<void> {
    await this.#server.stop(true)
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    this.asked.push(pathname + search)
    const { method, headers } = request
    if (method !== 'GET') this.complaints.push(method)
    if (headers.get('accept') !== 'application/json') this.complaints.push('accept')
    for (const name of ['authorization', 'cookie', 'x-api-key', 'new-api-user'])
      if (headers.has(name)) this.complaints.push(name)
    const page = Object.hasOwn(this.pages, pathname) ? this.pages[pathname] : undefined
    if (page === undefined) return new Response('not found', { status: 404 })
    if (page instanceof Response) return page.clone()
    return typeof page === 'string' ? new Response(page) : Response.json(page)
  }
}
