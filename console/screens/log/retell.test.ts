import { expect, test } from 'bun:test'
import { retell } from './retell.ts'

const written = [
  ['模型测试', '模型测试', 'Model test'],
  ['签到赠送 ＄0.007986 额度', '签到赠送 $0.007986', 'Check-in gift of $0.007986'],
  ['签到赠送 3993 点额度', '签到赠送 3993 点额度', 'Check-in gift of 3993 units'],
  ['新用户注册赠送 ＄1.000000 额度', '新用户注册赠送 $1.00', 'Gift of $1.00 for registering'],
  ['使用邀请码赠送 ＄1.000000 额度', '使用邀请码赠送 $1.00', 'Gift of $1.00 for registering by invitation'],
  ['邀请用户赠送 ＄1.500000 额度', '邀请用户赠送 $1.50', 'Reward of $1.50 for an invitation'],
  [
    '通过兑换码充值 ＄5.000000 额度，兑换码ID 12',
    '通过兑换码充值 $5.00，兑换码ID 12',
    'Redeemed $5.00, code #12',
  ],
  [
    '使用在线充值成功，充值金额: ＄10.000000 额度，支付金额：73.000000',
    '使用在线充值成功，充值金额: $10.00，支付金额：73.00',
    'Topped up $10.00 online, paid 73.00',
  ],
  [
    '管理员将用户额度从 ＄0.000000 额度修改为 ＄9.000000 额度',
    '管理员将用户额度从 $0.00 修改为 $9.00',
    'Quota changed by an admin: $0.00 → $9.00',
  ],
  ['管理员开通套餐「月度 20」', '管理员开通套餐「月度 20」', 'Plan “月度 20” assigned by an admin'],
  [
    '管理员结束套餐「a」，收回剩余 ＄2.000000 额度',
    '管理员结束套餐「a」，收回剩余 $2.00',
    'Plan “a” ended by an admin, $2.00 removed',
  ],
  [
    '使用余额购买套餐「a」，支付 ＄2.000000 额度',
    '使用余额购买套餐「a」，支付 $2.00',
    'Plan “a” bought with the balance, $2.00',
  ],
  [
    '在线购买套餐「a」成功，支付金额：USD 5.50',
    '在线购买套餐「a」成功，支付金额：USD 5.50',
    'Plan “a” bought online, paid USD 5.50',
  ],
  [
    '套餐「a」进入新的周期，发放 ＄2.000000 额度，收回上一周期剩余 ＄1.000000 额度',
    '套餐「a」进入新的周期，发放 $2.00，收回上一周期剩余 $1.00',
    'Plan “a” renewed: $2.00 granted, $1.00 unused removed',
  ],
  [
    '套餐「a」已到期，收回剩余 ＄1.000000 额度',
    '套餐「a」已到期，收回剩余 $1.00',
    'Plan “a” ended, $1.00 removed',
  ],
  ['查看了渠道「主」（#3）的密钥', '查看了渠道「主」（#3）的密钥', 'Revealed the key of channel “主” (#3)'],
  [
    '请求中断，按已产生的用量结算',
    '请求中断，按已产生的用量结算',
    'Interrupted: charged for what was used until then',
  ],
  ['构图失败 1794，补偿 ＄0.100000 额度', '构图失败 1794，补偿 $0.10', 'Task 1794 failed, $0.10 refunded'],
] as const

test('whoever reads English is told in English what is written in Chinese, and amounts look alike', () => {
  for (const [content, chinese, english] of written) {
    expect(retell(content, 'en')).toBe(english)
    expect(retell(content, 'zh')).toBe(chinese)
  }
})

test('what a vendor or an administrator wrote stays as it is', () => {
  for (const content of ['', 'status code 500: 服务器错误', '签到赠送'])
    expect(retell(content, 'en')).toBe(content)
})
