import { refuseFeature } from '../../dialects/refuse.ts'
import type { Destination } from '../define.ts'
import { encodeSegment } from '../kit/url.ts'

/** Where the API is OpenAI's. */
export function openaiPath(task: string): (to: Destination) => string {
  return to => (namesAccount(to) ? `/v1/${task}` : `${accountPath(to)}/ai/v1/${task}`)
}

/** Where a model is asked in words of its own. */
export function runPath(to: Destination): string {
  // The names of models are paths, and must stay below this one.
  const model = to.model.split('/').map(encodeSegment).join('/').replaceAll('%40', '@')
  if (!namesAccount(to)) return `${accountPath(to)}/ai/run/${model}`
  const place = withoutVersion(to)
  return place.endsWith('/workers-ai') ? `${place}/${model}` : `${place}/run/${model}`
}

export function listPath(to: Destination): string {
  const place = namesAccount(to) ? withoutVersion(to) : `${accountPath(to)}/ai`
  return `${place}/models/search?per_page=1000`
}

/** An operator may give the whole address of an account, or of a gateway that stands before it. */
function namesAccount({ baseUrl }: Destination): boolean {
  return /\/(ai|workers-ai)(\/v1)?$/.test(baseUrl)
}

function withoutVersion({ baseUrl }: Destination): string {
  return baseUrl.endsWith('/v1') ? baseUrl.slice(0, -'/v1'.length) : baseUrl
}

function accountPath({ other }: Destination): string {
  const account = other.trim()
  // A channel without one leaves the request to others.
  if (/^\.{0,2}$/.test(account)) refuseFeature('feature.account-id')
  return `/client/v4/accounts/${encodeSegment(account)}`
}
