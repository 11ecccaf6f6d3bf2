import type { GuardSide } from '../../../contract/guards/rule.ts'
import { asObject, asText, parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { atMost, counter } from '../../metrics.ts'
import { readText } from '../../outbound/client.ts'
import type { Admitted } from '../callers/authorise.ts'
import type { RelayParts } from '../parts.ts'
import type { Incoming } from '../request/incoming.ts'
import { ClientGone } from '../stream/client-gone.ts'
import type { AskedRule } from './guards.ts'

/** Whose texts they are. */
export interface Asking {
  readonly parts: RelayParts
  readonly incoming: Incoming
  readonly admitted: Admitted
  readonly model: string
}

type Verdict =
  | { readonly action: 'allow' }
  | { readonly action: 'block'; readonly reason: string }
  | { readonly action: 'mask'; readonly texts: readonly string[] }

const LEAST_ANSWER = 64 * 1024
const LONGEST_REASON = 300

const unanswered = counter(
  'tollgate_guard_unanswered_total',
  'How often the webhook of a guard could not be asked, or said nothing that can be read.',
)
const known = atMost(200)

/** Asks once. What it says is done, and believed only if all of it can be read. */
export async function askWebhook(
  asking: Asking,
  { name, looks }: AskedRule,
  side: GuardSide,
  texts: readonly string[],
): Promise<Verdict> {
  const { requestId, request } = asking.incoming
  try {
    return await ask(asking, { name, looks }, side, texts)
  } catch (error) {
    if (request.signal.aborted) throw new ClientGone()
    unanswered.increment({ rule: known(name) })
    log.warn('the webhook of a guard gave no answer', { rule: name, requestId, error })
    if (looks.otherwise === 'block') throw new AppError('guard.unanswered', { rule: name }, error)
    return { action: 'allow' }
  }
}

async function ask(
  { parts, incoming, admitted, model }: Asking,
  { name, looks }: AskedRule,
  side: GuardSide,
  texts: readonly string[],
): Promise<Verdict> {
  const { caller, group } = admitted
  const secret = parts.settings.get('GuardsSecret')
  const body = JSON.stringify({
    side,
    rule: name,
    texts,
    model,
    group,
    user_id: caller.userId,
    token_name: caller.tokenName,
    request_id: incoming.requestId,
  })
  const most = LEAST_ANSWER + 4 * body.length
  const ms = looks.seconds * 1000
  // A redirect is an answer that decides nothing, wherever it leads.
  const response = await parts.outbound.fetch(looks.url, {
    policy: 'operator',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(secret === '' ? {} : { authorization: `Bearer ${secret}` }),
    },
    body,
    signal: incoming.request.signal,
    timeoutMs: ms,
    wholeMs: ms,
    maxBytes: most,
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new AppError('outbound.failed', {}, new Error(`HTTP ${response.status}`))
  }
  return readVerdict(await readText(response, most), texts.length)
}

function readVerdict(text: string, count: number): Verdict {
  const { action, reason, texts } = asObject(parseObject(text)) ?? {}
  if (action === 'allow') return { action }
  if (action === 'block') return { action, reason: (asText(reason) ?? '').trim().slice(0, LONGEST_REASON) }
  if (action === 'mask' && Array.isArray(texts) && texts.length === count && texts.every(isText))
    return { action, texts }
  throw new AppError('outbound.failed', {}, new Error('no verdict'))
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
