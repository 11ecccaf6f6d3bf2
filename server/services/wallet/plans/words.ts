import { logTypes } from '../../../../contract/log-types.ts'
import type { EntryLog } from '../../../ledger/entries.ts'
import type { PlanWords } from '../../../ledger/subscription/bring-up-to-date.ts'
import type { App } from '../../app.ts'
import { quotaText } from '../quota-text.ts'

/** What a user's log says of their plan. */
export function planWords(app: Pick<App, 'settings'>): PlanWords {
  return {
    renewed: (title, given, taken) => ({
      type: logTypes.system,
      content: `套餐「${title}」进入新的周期，发放 ${quotaText(app, given)}，收回上一周期剩余 ${quotaText(app, taken)}`,
    }),
    ended: (title, taken) => ({
      type: logTypes.system,
      content: `套餐「${title}」已到期，收回剩余 ${quotaText(app, taken)}`,
    }),
  }
}

export function boughtWords(app: App, title: string, price: number): EntryLog {
  return { type: logTypes.topUp, content: `使用余额购买套餐「${title}」，支付 ${quotaText(app, price)}` }
}

export function paidWords(title: string, paid: string): EntryLog {
  return { type: logTypes.topUp, content: `在线购买套餐「${title}」成功，支付金额：${paid}` }
}

export function boundWords(title: string): EntryLog {
  return { type: logTypes.admin, content: `管理员开通套餐「${title}」` }
}

export function endedWords(app: App, title: string, taken: number): EntryLog {
  return { type: logTypes.admin, content: `管理员结束套餐「${title}」，收回剩余 ${quotaText(app, taken)}` }
}
