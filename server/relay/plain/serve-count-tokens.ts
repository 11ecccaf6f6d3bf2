import { asObject, type JsonObject } from '../../dialects/json.ts'
import { AppError } from '../../errors.ts'
import { canServe } from '../../providers/can-serve.ts'
import { choosePlainEndpoint } from '../../providers/choose-endpoint.ts'
import { providerOf } from '../../providers/index.ts'
import { type Admitted, allowModel } from '../callers/authorise.ts'
import { countRequest } from '../counting/request-text.ts'
import type { CallGuard } from '../guards/call-guard.ts'
import { readPlain } from '../guards/read-request.ts'
import { claimLimits, hasLimits } from '../limits/enter-limits.ts'
import { type FilesLead, onlyAt } from '../openai-kept/lead-to-files.ts'
import { Order } from '../order/order.ts'
import type { RelayParts } from '../parts.ts'
import type { Incoming } from '../request/incoming.ts'
import { refuseSensitiveWords } from '../request/sensitive-words.ts'
import type { Channel } from '../routing/channel.ts'
import { candidatesFor } from '../routing/groups-in-turn.ts'
import { mapModel } from '../routing/map-model.ts'
import { ClientGone } from '../stream/client-gone.ts'
import { tryChannels } from '../upstream/try-channels.ts'
import type { UpstreamCall } from '../upstream/upstream-call.ts'
import { UpstreamFailure } from '../upstream/upstream-failure.ts'
import { askPlain } from './ask-plain.ts'
import { freeOfCharge } from './free-of-charge.ts'
import { leadCount } from './lead-count.ts'
import { type PlainCall, spokenIn } from './plain-call.ts'

/** What the caller can mend; whatever else a vendor refuses is counted here instead. */
const callersFault = new Set([400, 413, 422])

/** Counts a prompt: where its vendor does, by the vendor, else here. Costs nothing and leaves no trace. */
export async function serveCountTokens(
  parts: RelayParts,
  incoming: Incoming,
  call: PlainCall,
  admitted: Admitted,
  guard: CallGuard | undefined,
): Promise<Response> {
  allowModel(admitted.caller, call.model)
  refuseSensitiveWords(parts.settings, { json: spokenIn(call) })
  const channels = channelsFor(parts, admitted, call.model)
  if (channels.length === 0)
    throw new AppError('relay.no-channel', { group: admitted.group, model: call.model })
  const claim = hasLimits(parts, admitted) ? await claimLimits(parts, admitted, 0) : undefined
  try {
    const asked = guard?.asksFirst ? await askOthers(guard, call) : call
    return await count(parts, incoming, asked, admitted, channels)
  } finally {
    await claim?.end(0)
  }
}

async function askOthers(guard: CallGuard, call: PlainCall): Promise<PlainCall> {
  const reading = readPlain(call)
  return reading.written(await guard.askRequest(reading.places()))
}

async function count(
  parts: RelayParts,
  incoming: Incoming,
  call: PlainCall,
  admitted: Admitted,
  channels: readonly Channel[],
): Promise<Response> {
  const free = freeOfCharge(parts, call.model)
  const asked = { asked: call.model, model: call.model, failover: undefined, book: free.prices() }
  const led = await leadCount({ parts: free, incoming, admitted, ...asked }, call)
  const said = channels.some(channel => countsIn(call, channel))
    ? await askVendor(free, incoming, led?.call ?? call, admitted, led)
    : undefined
  return new Response(said ?? (await countHere(parts, call)), {
    headers: { 'content-type': 'application/json' },
  })
}

async function countHere({ counter }: RelayParts, call: PlainCall): Promise<string> {
  const request = call.dialect.readRequest(promptOf(call), { model: call.model, stream: false })
  return write(call, await countRequest(counter, request))
}

function channelsFor(parts: RelayParts, admitted: Admitted, model: string): readonly Channel[] {
  const { pinned } = admitted
  if (pinned === undefined) return candidatesFor(parts.channels, admitted, model).flat()
  const channel = parts.channels.byId(pinned)
  if (!channel) throw new AppError('relay.bad-channel')
  if (!channel.isEnabled) throw new AppError('relay.channel-disabled')
  return [channel]
}

function countsIn({ form, model }: PlainCall, channel: Channel): boolean {
  const provider = providerOf(channel.type)
  if (!provider) return false
  const { other, organization, baseUrl = provider.baseUrl, key = '' } = channel
  const to = { baseUrl, key, model: mapModel(channel.mapping, model), stream: false, other, organization }
  if (choosePlainEndpoint(provider, 'count-tokens', to)?.form !== form) return false
  return canServe(provider, 'count-tokens', baseUrl)
}

/** Undefined when the vendor cannot tell. */
async function askVendor(
  parts: RelayParts,
  incoming: Incoming,
  call: PlainCall,
  admitted: Admitted,
  { place, may }: Partial<FilesLead> = {},
) {
  const order = new Order(parts, incoming, admitted, call)
  const { signal } = incoming.request
  let upstream: UpstreamCall | undefined
  const onGone = (): void => upstream?.stop(new ClientGone())
  signal.addEventListener('abort', onGone)
  try {
    const answer = await tryChannels(
      order,
      {
        can: channel => countsIn(call, channel) && (!may || may(channel)),
        errand: 'count_tokens',
        ...(place && onlyAt(place)),
      },
      attempt =>
        askPlain(order, call, attempt, opened => {
          upstream = opened
        }),
    )
    return answer.kind === 'whole' ? answer.write({ input: 0, output: 0 }) : undefined
  } catch (error) {
    const status = error instanceof UpstreamFailure ? error.problem?.status : undefined
    if (error instanceof ClientGone || (status !== undefined && callersFault.has(status))) throw error
    return undefined
  } finally {
    signal.removeEventListener('abort', onGone)
    await order.leave(0)
  }
}

/** A count needs no limit; where the dialect demands one, any will do. */
function promptOf({ form, fields }: PlainCall): JsonObject {
  if (form === 'gemini') return asObject(fields.generateContentRequest) ?? fields
  return form === 'anthropic' ? { max_tokens: 1, ...fields } : fields
}

function write({ form }: PlainCall, tokens: number): string {
  if (form === 'gemini') return JSON.stringify({ totalTokens: tokens })
  const object = form === 'openai' ? 'response.input_tokens' : undefined
  return JSON.stringify({ object, input_tokens: tokens })
}
