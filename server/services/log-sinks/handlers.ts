import type { Language } from '../../../contract/language.ts'
import { type LogSinkState, logSinks } from '../../../contract/log-sinks.ts'
import type { App } from '../app.ts'
import type { Handlers } from '../call.ts'
import { highestId } from './settled.ts'
import { sinks } from './sink.ts'
import { readProblem, readState } from './state.ts'

export function logSinkHandlers(app: App): Handlers<'listLogSinks' | 'testLogSink'> {
  return {
    listLogSinks: ({ language }) => listSinks(app, language),
    async testLogSink({ body: { sink } }) {
      await app.settings.refresh()
      await sinks[sink].test(app)
      // It works: what waits to be tried again need not.
      await app.store.db.updateTable('log_sinks').set({ retry_at: 0 }).where('name', '=', sink).execute()
    },
  }
}

async function listSinks(app: App, language: Language): Promise<LogSinkState[]> {
  const top = await highestId(app.store.db)
  return Promise.all(
    logSinks.map(async sink => {
      const state = await readState(app, sink)
      const { delivered_to, delivered_at, failed_at, retry_at, problem } = state
      return {
        sink,
        enabled: sinks[sink].isOn(app.settings),
        delivered_to,
        delivered_at,
        behind: Math.max(0, top - delivered_to),
        problem: readProblem(problem)?.text(language) ?? '',
        failing_since: failed_at,
        retry_at,
      }
    }),
  )
}
