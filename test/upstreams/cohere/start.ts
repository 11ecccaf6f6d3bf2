import { startUpstream } from '../start-upstream.ts'
import { bearerOnly, type FakeUpstream, type Route, type UpstreamOptions } from '../upstream.ts'
import { answerEmbed, answerRerank, checkEmbed, checkRerank, listModels } from './answer-plain.ts'
import { checkChat } from './check-chat.ts'
import { failCohere } from './fail.ts'
import { answerChat } from './write-chat.ts'

export function startCohere(options: UpstreamOptions = {}): Promise<FakeUpstream> {
  const { key = 'cohere-upstream-key-0123456789' } = options
  return startUpstream(
    {
      name: 'Cohere',
      key,
      keyHeaders: ['authorization'],
      authorize: bearerOnly(failCohere),
      fail: failCohere,
      routes: [
        post(/^\/v2\/chat$/, { check: checkChat, answer: answerChat }),
        post(/^\/v2\/embed$/, { check: checkEmbed, answer: answerEmbed }),
        post(/^\/v2\/rerank$/, { check: checkRerank, answer: answerRerank }),
        {
          ...{ method: 'GET', path: /^\/v1\/models$/, takes: 'nothing' },
          query: ['page_size', 'page_token', 'endpoint'],
          answer: listModels,
        },
      ],
    },
    options,
  )
}

function post(path: RegExp, route: Pick<Route, 'check' | 'answer'>): Route {
  return { method: 'POST', path, takes: 'json', ...route }
}
