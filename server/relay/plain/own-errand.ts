import { dialects } from '../../dialects/index.ts'
import type { JsonObject } from '../../dialects/json.ts'
import { canServe } from '../../providers/can-serve.ts'
import { providerOf } from '../../providers/index.ts'
import type { Admitted } from '../callers/authorise.ts'
import { Order } from '../order/order.ts'
import type { RelayParts } from '../parts.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Channel } from '../routing/channel.ts'
import { tryChannels } from '../upstream/try-channels.ts'
import type { UpstreamCall } from '../upstream/upstream-call.ts'
import { askPlain } from './ask-plain.ts'
import { freeOfCharge } from './free-of-charge.ts'
import type { PlainCall } from './plain-call.ts'
import type { WholeAnswer } from './read-whole.ts'

/** For whose call something is asked. */
interface For {
  readonly parts: RelayParts
  readonly incoming: Incoming
  readonly admitted: Admitted
}

interface Errand {
  /** Its failures do not count against the channel's usual calls. */
  readonly name: string
  readonly capability: 'moderations' | 'embeddings'
  readonly fields: JsonObject & { readonly model: string }
  onOpen(upstream: UpstreamCall): void
}

/**
 * Asks a model at one of the operator's own channels for the sake of a call: at no cost to its caller, past the caller's
 * limits, and past all guards. Undefined when what comes is no whole answer.
 */
export async function runErrand(asking: For, errand: Errand): Promise<WholeAnswer | undefined> {
  const { parts, incoming, admitted } = asking
  const call = callOf(errand)
  const can = (channel: Channel): boolean => canDo(errand, channel)
  const group = groupFor(parts, admitted, call.model, can)
  const to = { ...admitted, group, groups: undefined, pinned: undefined }
  const order = new Order(freeOfCharge(parts, call.model, group), ownIncoming(incoming, errand), to, call)
  try {
    const answer = await tryChannels(order, { can, errand: errand.name }, attempt =>
      askPlain(order, call, attempt, errand.onOpen),
    )
    return answer.kind === 'whole' ? answer : undefined
  } finally {
    await order.leave(0)
  }
}

/** The caller's own group, where that has the model; else any that has it. */
function groupFor(
  { channels }: RelayParts,
  { group, groups = [] }: Admitted,
  model: string,
  can: (channel: Channel) => boolean,
): string {
  const near = [group, ...groups].find(one => channels.candidates(one, model).flat().some(can))
  if (near !== undefined) return near
  const serving = channels.all().find(one => one.isEnabled && one.models.has(model) && can(one))
  return serving?.groups[0] ?? group
}

function canDo({ capability }: Errand, { type, baseUrl }: Channel): boolean {
  const provider = providerOf(type)
  return provider !== undefined && canServe(provider, capability, baseUrl ?? provider.baseUrl)
}

function callOf({ capability, fields }: Errand): PlainCall {
  return {
    route: { kind: 'plain', capability, dialect: 'openai-chat' },
    capability,
    dialect: dialects['openai-chat'],
    form: 'openai',
    model: fields.model,
    stream: false,
    fields,
    body: { text: JSON.stringify(fields), json: fields },
  }
}

/** Under the call's name in the log, but with nothing of what its client sent, and apart from its trace. */
function ownIncoming({ requestId, address, language }: Incoming, { capability }: Errand): Incoming {
  const path = `/v1/${capability}`
  return {
    request: new Request(`http://localhost${path}`, { method: 'POST' }),
    path,
    requestId,
    address,
    language,
    hold: () => {},
    keepOpen: () => {},
    letRest: () => {},
    upgrade: () => false,
  }
}
