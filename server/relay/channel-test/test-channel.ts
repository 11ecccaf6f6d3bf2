import { channelTypeOf } from '../../../contract/channel-types.ts'
import type { Language } from '../../../contract/language.ts'
import { ANY_HTTP } from '../../../contract/pass-through.ts'
import { roles, userStatuses } from '../../../contract/users.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import { AppError } from '../../errors.ts'
import { tokenStates } from '../../ledger/moves.ts'
import { PriceBook } from '../../ledger/price/price-book.ts'
import { log } from '../../log.ts'
import { providerOf } from '../../providers/index.ts'
import type { ChannelTester, TestOptions, TestOutcome } from '../../store/channel-tester.ts'
import type { Admitted } from '../callers/authorise.ts'
import { askChat } from '../chat/ask-chat.ts'
import { Order } from '../order/order.ts'
import { OperatorRefusal } from '../override/operator-refusal.ts'
import type { RelayParts } from '../parts.ts'
import { askPlain } from '../plain/ask-plain.ts'
import { makesPictures } from '../plain/plain-call.ts'
import type { Incoming } from '../request/incoming.ts'
import type { Channel } from '../routing/channel.ts'
import { disableChannel } from '../routing/disable-channel.ts'
import { judgeFailure } from '../routing/judge-failure.ts'
import { mapModel } from '../routing/map-model.ts'
import type { Attempt } from '../upstream/try-channels.ts'
import type { UpstreamCall } from '../upstream/upstream-call.ts'
import { UpstreamFailure } from '../upstream/upstream-failure.ts'
import { askService } from './ask-service.ts'
import { chooseTestModel, composeTest, type TestCall } from './test-request.ts'

/** Whoever waits for a test wants to know that nothing comes. */
const TEST_MS = 60_000
const GROUP = 'default'

/** A service is only asked whether it is there. */
type AnyTest = TestCall | { readonly kind: 'service' }

/** Asks exactly this channel something small, whatever its status. Nothing is held and nobody is charged. */
export async function testChannel(
  parts: RelayParts,
  channelId: number,
  { model: wanted, language = 'zh', signal }: TestOptions = {},
): Promise<TestOutcome> {
  const channel = await findChannel(parts, channelId)
  const model = wanted ?? (await ownTestModel(parts, channel))
  const { mark } = channel
  const untouched = { ...nothing, model, mark, ms: 0, asked: false }
  const provider = providerOf(channel.type)
  const isService = channel.type === ANY_HTTP
  const upstreamModel = mapModel(channel.mapping, model)
  const compose = (stream: boolean): TestCall | undefined =>
    provider && composeTest(provider, channel, model, upstreamModel, stream)
  const call: AnyTest | undefined = isService ? { kind: 'service' } : compose(false)
  if (!call) {
    const refusal = provider
      ? new AppError('channel.test-model', { model })
      : new AppError('channel.test-unsupported', {
          type: channelTypeOf(channel.type)?.name[language] ?? channel.type,
        })
    return { ...untouched, message: refusal.text(language) }
  }
  const key = channel.nextKey(model) ?? channel.nextKey() ?? channel.key
  if (key === undefined)
    return { ...untouched, message: new AppError('channel.key-unreadable').text(language) }
  const began = performance.now()
  const since = (): number => Math.round(performance.now() - began)
  try {
    const attempt = { channel, model: upstreamModel, key }
    const askFor = (test: AnyTest) => ask(freeOrder(parts, model, language), test, attempt, signal)
    const usage = await askFor(call).catch(error => {
      const streamed = wantsStream(error) ? compose(true) : undefined
      if (streamed?.kind !== 'chat') throw error
      return askFor(streamed)
    })
    return {
      ...{ ok: true, message: '', ms: since(), model, mark, asked: true, keyUnusable: false },
      drew: call.kind === 'plain' && makesPictures(call.call.capability),
      promptTokens: usage?.input ?? 0,
      completionTokens: usage?.output ?? 0,
    }
  } catch (error) {
    const failed = { ...nothing, model, mark, ms: since(), asked: true }
    const { message, keyUnusable } = describe(error, channel, language)
    // Who has replaced it meanwhile knows.
    const isInUse = parts.channels.byId(channelId) === channel
    return { ...failed, message, keyUnusable: keyUnusable && isInUse && isLastKey(channel, key) }
  }
}

const nothing = { ok: false, keyUnusable: false, drew: false, promptTokens: 0, completionTokens: 0 }

/** One of several that is dead rests, as when a call finds it so; the channel is as good as the others. */
function isLastKey(channel: Channel, key: string): boolean {
  if (channel.keys.length === 1) return true
  channel.setAside(key)
  return channel.keyReadyAt > 0
}

/** A channel that another process has just made or changed may not be known here yet. */
async function findChannel({ channels }: RelayParts, id: number, mark?: string): Promise<Channel> {
  const known = channels.byId(id)
  if (known && (mark === undefined || known.mark === mark)) return known
  await channels.refresh()
  const found = channels.byId(id)
  if (!found) throw new AppError('row.not-found')
  return found
}

async function ownTestModel({ store }: RelayParts, channel: Channel): Promise<string> {
  const row = await store.db
    .selectFrom('channels')
    .select('test_model')
    .where('id', '=', channel.id)
    .executeTakeFirst()
  return row?.test_model?.trim() || chooseTestModel([...channel.models])
}

async function ask(
  order: Order,
  call: AnyTest,
  attempt: Attempt,
  signal: AbortSignal | undefined,
): Promise<TokenUsage | undefined> {
  let open: UpstreamCall | undefined
  const stop = (): void => open?.stop(new AppError('outbound.timeout'))
  const timer = setTimeout(stop, TEST_MS)
  signal?.addEventListener('abort', stop)
  const onOpen = (upstream: UpstreamCall): void => {
    open = upstream
  }
  try {
    signal?.throwIfAborted()
    if (call.kind === 'service') {
      await askService(order, attempt, onOpen)
      return undefined
    }
    if (call.kind === 'chat') {
      const answer = await askChat(order, call.call, attempt, onOpen)
      return answer.kind === 'whole' ? answer.usage : undefined
    }
    const answer = await askPlain(order, call.call, attempt, onOpen)
    return answer.kind === 'whole' ? answer.seen.usage : undefined
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    // That something came is all that was to be known.
    open?.stop(new AppError('outbound.failed'))
  }
}

/** Some models answer in streams only, and say so to whoever asks for a whole answer. */
function wantsStream(error: unknown): boolean {
  return error instanceof UpstreamFailure && error.said === 400 && /\bstream|流式/i.test(error.message)
}

/** An order of the operator's own: whatever the model, it has a price, and that is nothing. */
function freeOrder(parts: RelayParts, model: string, language: Language): Order {
  const free = { ModelPrice: {}, ModelRatio: { [model]: 0 }, CompletionRatio: {}, CacheRatio: {} }
  const none = { CreateCacheRatio: {}, ImageRatio: {}, AudioRatio: {}, AudioCompletionRatio: {} }
  const long = { LongInputRatio: {}, LongOutputRatio: {}, LongInputFrom: {} }
  const tools = { WebSearchPrice: {}, ToolPrice: {}, InferenceGeoRatio: 1 }
  const group = { GroupRatio: { [GROUP]: 0 }, GroupGroupRatio: {}, DefaultModelRatio: 1, QuotaPerUnit: 1 }
  const book = new PriceBook({ ...free, ...none, ...long, ...tools, ...group })
  const incoming: Incoming = {
    request: new Request('http://localhost/'),
    path: '/',
    requestId: crypto.randomUUID(),
    address: '',
    language,
    hold: () => {},
    keepOpen: () => {},
    letRest: () => {},
    upgrade: () => false,
  }
  const admitted: Admitted = { caller: operator, group: GROUP, groups: undefined, pinned: undefined }
  return new Order({ ...parts, prices: () => book }, incoming, admitted, { model, stream: false })
}

const operator: Admitted['caller'] = {
  userId: 0,
  username: '',
  role: roles.root,
  userStatus: userStatuses.active,
  userGroup: GROUP,
  tokenId: 0,
  tokenName: '',
  tokenStatus: tokenStates.enabled,
  hasMoved: false,
  expiresAt: -1,
  tokenGroup: '',
  models: undefined,
  addresses: undefined,
  tokenLimits: undefined,
  userLimits: undefined,
  spendLimits: undefined,
  labels: undefined,
  balance: 0,
}

function describe(
  error: unknown,
  channel: Channel,
  language: Language,
): Pick<TestOutcome, 'message' | 'keyUnusable'> {
  if (error instanceof UpstreamFailure) {
    const { problem } = error
    if (!problem) return { message: innermost(error).text(language), keyUnusable: false }
    const keyUnusable =
      channel.type === ANY_HTTP ? problem.status === 401 : judgeFailure(channel.type, problem).keyUnusable
    // Where the vendor had no words, ours name the status already.
    const said = new AppError('upstream.said', { status: problem.status, words: problem.message })
    return { message: (problem.own ?? said).text(language), keyUnusable }
  }
  if (error instanceof AppError) return { message: error.text(language), keyUnusable: false }
  if (error instanceof OperatorRefusal) return { message: error.message, keyUnusable: false }
  log.error('a channel could not be tested', { channel: channel.id, error })
  const unknown = new AppError('server.internal', { requestId: '-' })
  return { message: unknown.text(language), keyUnusable: false }
}

/** Why there was no answer, as exactly as can be said without naming anyone. */
function innermost(failure: UpstreamFailure): AppError {
  return failure.cause instanceof AppError ? failure.cause : failure.error
}

/** What the management of channels needs of the relay. */
export function openChannelTester(parts: RelayParts): ChannelTester {
  return {
    test: (channelId, options) => testChannel(parts, channelId, options),
    async disable(channelId, reason, mark) {
      const channel = await findChannel(parts, channelId, mark)
      if (channel.mark !== mark) return false
      return disableChannel(parts.store, channel, { reason, now: parts.now(), onDisabled: parts.onDisabled })
    },
  }
}
