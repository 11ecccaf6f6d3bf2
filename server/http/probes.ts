import type { Handlers } from '../services/call.ts'
import { docsPage } from './docs-page.ts'
import { openApiDocument } from './openapi.ts'
import { json } from './render.ts'

export interface ProcessState {
  /** True once SIGTERM has come: the process finishes what it has and takes nothing new. */
  readonly draining: boolean
  ping(): Promise<void>
  /** False once writes have failed for a while, although the database may still answer. */
  canWrite(): boolean
  /** All workers' metrics in Prometheus text. */
  metrics(): Promise<string>
}

const plain = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

/** What orchestrators, monitors and readers of the API ask for. */
export function probeHandlers(
  state: ProcessState,
  version: string,
): Handlers<'health' | 'ready' | 'metrics' | 'openapi' | 'docs'> {
  return {
    health: () => new Response('ok\n', { headers: plain }),
    async ready() {
      if (state.draining) return new Response('draining\n', { status: 503, headers: plain })
      const reachable = await state.ping().then(
        () => true,
        () => false,
      )
      if (!reachable) return new Response('the database is unavailable\n', { status: 503, headers: plain })
      // A call that cannot be charged is refused: others, if there are any, had better take it.
      if (!state.canWrite())
        return new Response('the database cannot be written\n', { status: 503, headers: plain })
      return new Response('ready\n', { headers: plain })
    },
    async metrics() {
      const headers = {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'cache-control': 'no-store',
      }
      return new Response(await state.metrics(), { headers })
    },
    openapi: ({ language }) => json(openApiDocument(language, version)),
    docs: ({ language }) => docsPage(language, version),
  }
}
