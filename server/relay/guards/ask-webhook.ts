import type { GuardSide, WebhookLook } from '../../../contract/guards/rule.ts'
import { asObject, asText, parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { readText } from '../../outbound/client.ts'
import type { Asking, Verdict } from './ask-rule.ts'

const LEAST_ANSWER = 64 * 1024
const LONGEST_REASON = 300

export async function askWebhook(
  { parts, incoming, admitted, model }: Asking,
  { name, looks }: { readonly name: string; readonly looks: WebhookLook },
  side: GuardSide,
  texts: readonly string[],
): Promise<Verdict> {
  const { caller, group } = admitted
  const secret = looks.secret || parts.settings.get('GuardsSecret')
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
    mayRepeat: true,
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
