import type { ModelLook } from '../../../contract/guards/rule.ts'
import { dialects } from '../../dialects/index.ts'
import { asArray, asNumber, asObject, type JsonObject, parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { canServe } from '../../providers/can-serve.ts'
import { providerOf } from '../../providers/index.ts'
import type { Admitted } from '../callers/authorise.ts'
import { Order } from '../order/order.ts'
import type { RelayParts } from '../parts.ts'
import { askPlain } from '../plain/ask-plain.ts'
import { freeOfCharge } from '../plain/free-of-charge.ts'
import type { PlainCall } from '../plain/plain-call.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Channel } from '../routing/channel.ts'
import { ClientGone } from '../stream/client-gone.ts'
import { tryChannels } from '../upstream/try-channels.ts'
import type { UpstreamCall } from '../upstream/upstream-call.ts'
import type { Asking, Verdict } from './ask-rule.ts'
import { cutText } from './cut-text.ts'
import type { AskedRule } from './guards.ts'

/** In one request; and how many requests are made at once for one call and side. */
const MOST_PIECES = 32
const MOST_REQUESTS = 8

type ModelRule = AskedRule & { readonly looks: ModelLook }

/**
 * Asks a model that moderates, at one of the operator's own channels: at no cost to the caller, past the caller's
 * limits, and past all rules, so that none ever asks about what another asks.
 */
export async function askModel(asking: Asking, rule: ModelRule, texts: readonly string[]): Promise<Verdict> {
  const { name, action, looks } = rule
  const pieces = texts.flatMap(cutText)
  const most = MOST_PIECES * MOST_REQUESTS
  if (pieces.length > most && action === 'block') throw new AppError('guard.too-long', { rule: name })
  const lots: string[][] = []
  for (let at = 0; at < Math.min(pieces.length, most); at += MOST_PIECES)
    lots.push(pieces.slice(at, Math.min(at + MOST_PIECES, most)))
  const results = await moderateAll(asking, rule, lots)
  const found = new Set(results.flatMap(result => findCategories(result, looks.categories)))
  if (found.size === 0) return { action: 'allow' }
  return action === 'note' ? { action } : { action: 'block', reason: [...found].join(', ') }
}

/** Within the rule's time; whatever ends one request ends the others. */
async function moderateAll(
  asking: Asking,
  { name, looks }: ModelRule,
  lots: readonly string[][],
): Promise<JsonObject[]> {
  const open = new Set<UpstreamCall>()
  let stopped: unknown
  const stop = (reason: unknown): void => {
    stopped ??= reason
    for (const upstream of open) upstream.stop(reason)
  }
  const onOpen = (upstream: UpstreamCall): void => {
    open.add(upstream)
    if (stopped) upstream.stop(stopped)
  }
  const { signal } = asking.incoming.request
  const onGone = (): void => stop(new ClientGone())
  const timer = setTimeout(() => stop(new AppError('guard.unanswered', { rule: name })), looks.seconds * 1000)
  signal.addEventListener('abort', onGone)
  try {
    if (signal.aborted) throw new ClientGone()
    const all = lots.map(lot => moderate(asking, looks.model, lot, onOpen))
    return (await Promise.all(all)).flat()
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onGone)
    stop(new AppError('guard.unanswered', { rule: name }))
  }
}

async function moderate(
  { parts, incoming, admitted }: Asking,
  model: string,
  texts: readonly string[],
  onOpen: (upstream: UpstreamCall) => void,
): Promise<JsonObject[]> {
  const group = groupFor(parts, admitted, model)
  const to = { ...admitted, group, groups: undefined, pinned: undefined }
  const call = moderationOf(model, texts)
  const order = new Order(freeOfCharge(parts, model, group), ownIncoming(incoming), to, call)
  try {
    const answer = await tryChannels(order, { can: canModerate, errand: 'guards' }, attempt =>
      askPlain(order, call, attempt, onOpen),
    )
    if (answer.kind !== 'whole') throw noVerdict()
    const written = answer.write({ input: 0, output: 0 })
    const results = asArray(parseObject(Buffer.from(written).toString('utf8'))?.results)
    if (results.length !== texts.length) throw noVerdict()
    return results.map(result => asObject(result) ?? {})
  } finally {
    await order.leave(0)
  }
}

/** The caller's own group, where that has the model; else any that has it. */
function groupFor({ channels }: RelayParts, { group, groups = [] }: Admitted, model: string): string {
  const near = [group, ...groups].find(one => channels.candidates(one, model).flat().some(canModerate))
  if (near !== undefined) return near
  const serving = channels.all().find(one => one.isEnabled && one.models.has(model) && canModerate(one))
  return serving?.groups[0] ?? group
}

function canModerate({ type, baseUrl }: Channel): boolean {
  const provider = providerOf(type)
  return provider !== undefined && canServe(provider, 'moderations', baseUrl ?? provider.baseUrl)
}

function moderationOf(model: string, input: readonly string[]): PlainCall {
  const json = { model, input: [...input] }
  return {
    route: { kind: 'plain', capability: 'moderations', dialect: 'openai-chat' },
    capability: 'moderations',
    dialect: dialects['openai-chat'],
    form: 'openai',
    model,
    stream: false,
    fields: json,
    body: { text: JSON.stringify(json), json },
  }
}

/** Under the call's name in the log, but with nothing of what its client sent, and apart from its trace. */
function ownIncoming({ requestId, address, language }: Incoming): Incoming {
  return {
    request: new Request('http://localhost/v1/moderations', { method: 'POST' }),
    path: '/v1/moderations',
    requestId,
    address,
    language,
    keepOpen: () => {},
    letRest: () => {},
    upgrade: () => false,
  }
}

/** The categories that count, of those that the model has found. */
function findCategories(result: JsonObject, wanted: ModelLook['categories']): string[] {
  const flags = asObject(result.categories)
  const scores = asObject(result.category_scores)
  if (!flags && !scores) throw noVerdict()
  const names = Object.keys(wanted)
  if (names.length > 0)
    return names.filter(name => {
      const from = wanted[name]
      if (from === 'flagged' || from === undefined) return flags?.[name] === true
      const score = asNumber(scores?.[name])
      return score !== undefined && score >= from
    })
  const flagged = Object.keys(flags ?? {}).filter(name => flags?.[name] === true)
  return flagged.length === 0 && result.flagged === true ? ['flagged'] : flagged
}

function noVerdict(): AppError {
  return new AppError('outbound.failed', {}, new Error('no verdict'))
}
