import type { Destination, Endpoint } from '../define.ts'
import { encodeSegment } from '../kit/url.ts'
import { readKey } from './read-key.ts'

/** The second API. */
export const QIANFAN = 'https://qianfan.baidubce.com'
/** The first. */
const AIP = 'https://aip.baidubce.com'
const WORKSHOP = '/rpc/2.0/ai_custom/v1/wenxinworkshop'

/** Names under which the first API knows a model, where it is not the model's own in lower case. */
const slugs = new Map([
  ['ernie-4.0-8k', 'completions_pro'],
  ['ernie-4.0', 'completions_pro'],
  ['ernie-bot-4', 'completions_pro'],
  ['ernie-3.5-8k', 'completions'],
  ['ernie-bot', 'completions'],
  ['ernie-bot-turbo', 'eb-instant'],
  ['ernie-speed', 'ernie_speed'],
  ['ernie-speed-8k', 'ernie_speed'],
  ['bge-large-zh', 'bge_large_zh'],
  ['bge-large-en', 'bge_large_en'],
  ['tao-8k', 'tao_8k'],
])

export function isOld({ key }: Destination): boolean {
  return readKey(key).kind === 'pair'
}

export function isNew(to: Destination): boolean {
  return !isOld(to)
}

/** Whoever set the base URL of one API with a key of the other means Baidu itself. */
export function newPath(path: string): Endpoint['path'] {
  return ({ baseUrl }) => (baseUrl === AIP ? QIANFAN + path : path)
}

export function oldPath(task: 'chat' | 'embeddings'): Endpoint['path'] {
  return to => {
    const name = to.model.toLowerCase()
    return `${oldHouse(to)}${WORKSHOP}/${task}/${encodeSegment(slugs.get(name) ?? name)}`
  }
}

export function tokenUrl(to: Destination): string {
  return `${oldHouse(to) || to.baseUrl}/oauth/2.0/token`
}

function oldHouse({ baseUrl }: Destination): string {
  return baseUrl === QIANFAN ? AIP : ''
}
