import { randomInt } from 'node:crypto'
import type { checkInEndpoints } from '../../../contract/check-ins.ts'
import { logTypes } from '../../../contract/log-types.ts'
import { AppError } from '../../errors.ts'
import { checkIn, checkInsOf, dayOf, sumCheckIns } from '../../ledger/check-in.ts'
import { checkTurnstile } from '../accounts/turnstile.ts'
import type { App } from '../app.ts'
import type { Handlers } from '../call.ts'
import { quotaText } from './quota-text.ts'

export function checkInHandlers(app: App): Handlers<keyof typeof checkInEndpoints> {
  return {
    async checkIns({ query, caller }) {
      const { least, most } = checkInTerms(app)
      const today = dayOf(app.now())
      const thisMonth = today.slice(0, 7)
      const month = query.month || thisMonth
      const [found, ofNow, all] = await Promise.all([
        checkInsOf(app.store, caller.id, month),
        month === thisMonth ? undefined : checkInsOf(app.store, caller.id, thisMonth),
        sumCheckIns(app.store, caller.id),
      ])
      return {
        enabled: true,
        min_quota: least,
        max_quota: most,
        stats: {
          checked_in_today: (ofNow ?? found).some(({ day }) => day === today),
          total_checkins: all.count,
          total_quota: all.amount,
          checkin_count: found.length,
          records: found.map(({ day, amount }) => ({ checkin_date: day, quota_awarded: amount })),
        },
      }
    },
    async checkIn({ query, caller, address }) {
      const { least, most } = checkInTerms(app)
      await checkTurnstile(app, query.turnstile, address)
      const now = app.now()
      const amount = randomInt(least, most + 1)
      const content = `签到赠送 ${quotaText(app, amount)}`
      if (!(await checkIn(app.store, now, { userId: caller.id, amount }, { type: logTypes.system, content })))
        throw new AppError('checkin.done')
      return { checkin_date: dayOf(now), quota_awarded: amount }
    },
  }
}

/** The two are saved one by one, perhaps by two at once: whatever they are, there is an amount between them. */
function checkInTerms({ settings }: App): { least: number; most: number } {
  const { CheckinEnabled, CheckinMinQuota, CheckinMaxQuota } = settings.all
  if (!CheckinEnabled) throw new AppError('checkin.off')
  return { least: CheckinMinQuota, most: Math.max(CheckinMinQuota, CheckinMaxQuota) }
}
