import type { GuardSide } from '../../../contract/guards/rule.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import { atMost, counter } from '../../metrics.ts'
import type { Admitted } from '../callers/authorise.ts'
import type { RelayParts } from '../parts.ts'
import type { Incoming } from '../request/incoming.ts'
import { ClientGone } from '../stream/client-gone.ts'
import { askModel } from './ask-model.ts'
import { askWebhook } from './ask-webhook.ts'
import { type AskedRule, refusesUnasked } from './guards.ts'

/** Whose texts they are. */
export interface Asking {
  readonly parts: RelayParts
  readonly incoming: Incoming
  readonly admitted: Admitted
  readonly model: string
}

export type Verdict =
  | { readonly action: 'allow' }
  | { readonly action: 'note' }
  | { readonly action: 'block'; readonly reason: string }
  | { readonly action: 'mask'; readonly texts: readonly string[] }

const asked = counter('tollgate_guard_asked_total', 'How often the webhook or model of a guard was asked.')
const unanswered = counter(
  'tollgate_guard_unanswered_total',
  'How often the webhook or model of a guard could not be asked, or said nothing that can be read.',
)
const known = atMost(200)

/** Asks once. What it says is done, and believed only if all of it can be read. */
export async function askRule(
  asking: Asking,
  { name, action, looks }: AskedRule,
  side: GuardSide,
  texts: readonly string[],
): Promise<Verdict> {
  const { requestId, request } = asking.incoming
  asked.increment({ rule: known(name) })
  try {
    if (looks.by === 'model') return await askModel(asking, { name, action, looks }, texts)
    return await askWebhook(asking, { name, looks }, side, texts)
  } catch (error) {
    if (request.signal.aborted) throw new ClientGone()
    if (error instanceof AppError && error.code === 'guard.too-long') throw error
    unanswered.increment({ rule: known(name) })
    log.warn('whom a guard asks gave no answer', { rule: name, requestId, error })
    if (refusesUnasked({ name, action, looks })) throw new AppError('guard.unanswered', { rule: name }, error)
    return { action: 'allow' }
  }
}
