import { expect, test } from 'bun:test'
import { retell } from './retell.ts'

const written = [
  ['签到赠送 ＄0.007986 额度', 'Check-in gift of $0.007986'],
  ['签到赠送 3993 点额度', 'Check-in gift of 3993 units'],
  ['新用户注册赠送 ＄1.000000 额度', 'Gift of $1.000000 for registering'],
  ['使用邀请码赠送 ＄1.000000 额度', 'Gift of $1.000000 for coming by invitation'],
  ['邀请用户赠送 ＄1.000000 额度', 'Reward of $1.000000 for an invitation'],
  ['通过兑换码充值 ＄5.000000 额度，兑换码ID 12', 'Redeemed $5.000000, code #12'],
  [
    '使用在线充值成功，充值金额: ＄10.000000 额度，支付金额：73.000000',
    'Topped up $10.000000 online, paid 73.000000',
  ],
  [
    '管理员将用户额度从 ＄0.000000 额度修改为 ＄9.000000 额度',
    'Quota changed by an admin: $0.000000 → $9.000000',
  ],
  ['管理员开通套餐「月度 20」', 'Plan “月度 20” given by an admin'],
  ['管理员结束套餐「a」，收回剩余 ＄2.000000 额度', 'Plan “a” ended by an admin, $2.000000 taken back'],
  ['使用余额购买套餐「a」，支付 ＄2.000000 额度', 'Plan “a” bought with the balance, $2.000000'],
  ['在线购买套餐「a」成功，支付金额：USD 5.50', 'Plan “a” bought online, paid USD 5.50'],
  [
    '套餐「a」进入新的周期，发放 ＄2.000000 额度，收回上一周期剩余 ＄1.000000 额度',
    'Plan “a” renewed: $2.000000 given, $1.000000 left over taken back',
  ],
  ['套餐「a」已到期，收回剩余 ＄1.000000 额度', 'Plan “a” ended, $1.000000 taken back'],
  ['查看了渠道「主」（#3）的密钥', 'Revealed the key of channel “主” (#3)'],
  ['构图失败 1794，补偿 ＄0.100000 额度', 'Task 1794 failed, $0.100000 given back'],
] as const

test('whoever reads English is told in English what is written in Chinese', () => {
  for (const [chinese, english] of written) {
    expect(retell(chinese, 'en')).toBe(english)
    expect(retell(chinese, 'zh')).toBe(chinese)
  }
})

test('what a vendor or an administrator wrote stays as it is', () => {
  for (const content of ['', 'status code 500: 服务器错误', '签到赠送'])
    expect(retell(content, 'en')).toBe(content)
})
