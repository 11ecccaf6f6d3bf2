import type { ModelLook } from '../../../contract/guards/rule.ts'
import { asArray, asNumber, asObject, type JsonObject, parseObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { runErrand } from '../plain/own-errand.ts'
import { ClientGone } from '../stream/client-gone.ts'
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
  asking: Asking,
  model: string,
  texts: readonly string[],
  onOpen: (upstream: UpstreamCall) => void,
): Promise<JsonObject[]> {
  const fields = { model, input: [...texts] }
  const answer = await runErrand(asking, { name: 'guards', capability: 'moderations', fields, onOpen })
  if (!answer) throw noVerdict()
  const written = answer.write({ input: 0, output: 0 })
  const results = asArray(parseObject(Buffer.from(written).toString('utf8'))?.results)
  if (results.length !== texts.length) throw noVerdict()
  return results.map(result => asObject(result) ?? {})
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
