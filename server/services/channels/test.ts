import { channelTypeOf } from '../../../contract/channel-types.ts'
import { channelStatuses } from '../../../contract/channels.ts'
import type { Language } from '../../../contract/language.ts'
import { AppError } from '../../errors.ts'
import type { ChannelTester, TestOutcome } from '../../store/channel-tester.ts'
import type { App } from '../app.ts'
import { type BackgroundWork, type Progress, workThrough } from '../background-work.ts'
import { tellOfFailedTests } from '../notices/channel-notices.ts'
import { enableAgain } from './enable-again.ts'
import { endRests } from './end-rests.ts'
import { logTest } from './log-test.ts'

export const CHANNEL_TEST = 'channel-test'

const AT_ONCE = 8

interface Tested {
  readonly id: number
  readonly name: string
  readonly status: number
  readonly auto_ban: number
}

/** Sends one channel something small, whatever its status. One that answers rests no longer. */
export async function testOne(
  app: App,
  tester: ChannelTester,
  id: number,
  model: string | undefined,
  language: Language,
): Promise<{ success: boolean; message: string; time: number }> {
  const row = await app.store.db.selectFrom('channels').select('id').where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  const outcome = await tester.test(id, { model: model || undefined, language }).catch((error: unknown) => {
    if (error instanceof AppError) return error.text(language)
    throw error
  })
  if (typeof outcome === 'string') return { success: false, message: outcome, time: 0 }
  await note(app, id, outcome)
  if (outcome.ok) await logTest(app, id, outcome)
  if (outcome.ok) await endRests(app, id)
  return { success: outcome.ok, message: outcome.message, time: outcome.ms / 1000 }
}

/**
 * Tests all channels but those that somebody has disabled, in the background: the slow and the refused are taken out
 * of service, the recovered put back, as the settings say. False when that is under way already.
 */
export function testAll(
  app: App,
  tester: ChannelTester,
  work: BackgroundWork,
  unlessSince?: number,
): Promise<boolean> {
  return work.start(CHANNEL_TEST, progress => goThrough(app, tester, progress), unlessSince)
}

async function goThrough(app: App, tester: ChannelTester, progress: Progress): Promise<void> {
  const rows = await app.store.db
    .selectFrom('channels')
    .select(['id', 'name', 'type', 'status', 'auto_ban'])
    .where('status', '!=', channelStatuses.disabledByHand)
    .orderBy('id')
    .execute()
  const testable = rows.filter(({ type }) => !channelTypeOf(type)?.tasks)
  const failed = new Set(testable.filter(({ status }) => status === channelStatuses.enabled))
  await workThrough(progress, testable, AT_ONCE, async channel => {
    const isGood = await testInTurn(app, tester, channel, progress.signal)
    if (isGood) failed.delete(channel)
    return isGood
  })
  if (failed.size > 0 && !progress.signal.aborted) tellOfFailedTests(app, testable.length, [...failed])
}

async function testInTurn(
  app: App,
  tester: ChannelTester,
  channel: Tested,
  signal: AbortSignal,
): Promise<boolean> {
  const outcome = await tester.test(channel.id, { signal })
  // What was broken off says nothing about the channel.
  if (signal.aborted) return false
  await note(app, channel.id, outcome)
  const reason = channel.auto_ban === 0 ? undefined : reasonAgainst(app, outcome)
  const isGood = outcome.ok && reason === undefined
  if (isGood && isToBeEnabled(app, channel)) await enableAgain(app, channel.id, outcome.mark)
  else if (reason !== undefined && channel.status === channelStatuses.enabled)
    await tester.disable(channel.id, reason, outcome.mark)
  return isGood
}

/**
 * Why a channel should not serve, where it lets itself be judged. Speed counts whether or not failures disable
 * channels, and what is too slow to stay is too slow to come back.
 */
function reasonAgainst({ settings }: App, outcome: TestOutcome): string | undefined {
  if (!outcome.ok)
    return outcome.keyUnusable && settings.get('AutomaticDisableChannelEnabled') ? outcome.message : undefined
  return outcome.drew ? undefined : slowness(settings.get('ChannelDisableThreshold'), outcome.ms / 1000)
}

function slowness(threshold: number, seconds: number): string | undefined {
  if (threshold === 0 || seconds <= threshold) return undefined
  return `响应时间 ${seconds.toFixed(2)}s 超过阈值 ${threshold.toFixed(2)}s`
}

function isToBeEnabled({ settings }: App, { status }: Tested): boolean {
  return status === channelStatuses.disabledByItself && settings.get('AutomaticEnableChannelEnabled')
}

/** How soon a channel refuses is not how fast it is: one that failed has a time of its test, and none of its answer. */
async function note({ store, now }: App, id: number, { asked, ok, ms }: TestOutcome): Promise<void> {
  if (!asked) return
  await store.db
    .updateTable('channels')
    .set({ response_time: ok ? Math.max(1, ms) : 0, test_time: now() })
    .where('id', '=', id)
    .execute()
}
