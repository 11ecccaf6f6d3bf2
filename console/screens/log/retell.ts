// What the log says besides calls is written once, in Chinese, as tools of this family look for it. Whoever reads the
// console in English is told the same in English; what is not known here is shown as it is written. Amounts look as
// everywhere else.

import type { Language } from '../../../contract/language.ts'

type Sentence = readonly [as: RegExp, tell: (...parts: string[]) => string]

const sentences: readonly Sentence[] = [
  [/^模型测试$/, () => 'Model test'],
  [/^请求中断，按已产生的用量结算$/, () => 'Interrupted: charged for what was used until then'],
  [/^签到赠送 (.+)$/, gift => `Check-in gift of ${amount(gift)}`],
  [/^新用户注册赠送 (.+)$/, gift => `Gift of ${amount(gift)} for registering`],
  [/^使用邀请码赠送 (.+)$/, gift => `Gift of ${amount(gift)} for registering by invitation`],
  [/^邀请用户赠送 (.+)$/, gift => `Reward of ${amount(gift)} for an invitation`],
  [
    /^通过兑换码充值 (.+?)(?:，兑换码ID (\d+))?$/,
    (sum, id) => `Redeemed ${amount(sum)}${id && `, code #${id}`}`,
  ],
  [
    /^(套餐已无法开通，按充值入账：)?使用在线充值成功，充值金额: (.+?)(?:，支付金额：(.+))?$/,
    (late, sum, paid) =>
      `Topped up ${amount(sum)} online${paid && `, paid ${plain(paid)}`}${late && '; the plan was no longer available'}`,
  ],
  [
    /^管理员将用户额度从 (.+?)修改为 (.+)$/,
    (from, to) => `Quota changed by an admin: ${amount(from)} → ${amount(to)}`,
  ],
  [/^管理员开通套餐「(.*)」$/, plan => `Plan “${plan}” assigned by an admin`],
  [
    /^管理员结束套餐「(.*)」，收回剩余 (.+)$/,
    (plan, rest) => `Plan “${plan}” ended by an admin, ${amount(rest)} removed`,
  ],
  [
    /^使用余额购买套餐「(.*)」，支付 (.+)$/,
    (plan, price) => `Plan “${plan}” bought with the balance, ${amount(price)}`,
  ],
  [
    /^在线购买套餐「(.*)」成功，支付金额：(.+)$/,
    (plan, paid) => `Plan “${plan}” bought online, paid ${paid}`,
  ],
  [
    /^套餐「(.*)」进入新的周期，发放 (.+?)，收回上一周期剩余 (.+)$/,
    (plan, given, taken) =>
      `Plan “${plan}” renewed: ${amount(given)} granted, ${amount(taken)} unused removed`,
  ],
  [/^套餐「(.*)」已到期，收回剩余 (.+)$/, (plan, rest) => `Plan “${plan}” ended, ${amount(rest)} removed`],
  [/^查看了渠道「(.*)」（#(\d+)）的密钥$/, (name, id) => `Revealed the key of channel “${name}” (#${id})`],
  [
    /^(?:视频生成|异步任务执行|构图)失败 (\S+)，补偿 (.+)$/,
    (id, sum) => `Task ${id} failed, ${amount(sum)} refunded`,
  ],
]

export function retell(content: string, language: Language): string {
  if (language === 'zh') return retouch(content)
  for (const [as, tell] of sentences) {
    const found = as.exec(content)
    if (found) return tell(...found.slice(1).map(part => part ?? ''))
  }
  return content
}

/** As `＄1.000000 额度` or `500000 点额度`. */
const money = /(-?)＄(-?[\d.]+) 额度(?=(\p{Script=Han})?)/gu

function amount(text: string): string {
  return text
    .trim()
    .replace(money, (_, sign, dollars) => `${sign}$${plain(dollars)}`)
    .replace(/^(-?\d+) 点额度$/, '$1 units')
}

function retouch(content: string): string {
  return content
    .replace(money, (_, sign, dollars, next) => `${sign}$${plain(dollars)}${next ? ' ' : ''}`)
    .replace(/(?<=支付金额：)[\d.]+$/, plain)
}

/** Six digits are for what costs next to nothing. */
function plain(figure: string): string {
  return figure.replace(/(\.\d\d\d*?)0+$/, '$1')
}
