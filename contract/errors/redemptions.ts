import { type ErrorTexts, e } from './define.ts'

export const redemptionErrors = {
  'redemption.name': e(
    200,
    '兑换码名称长度必须在1-20之间',
    'The name of a redemption code must be 1 to 20 bytes long',
  ),
  'redemption.count-low': e(200, '兑换码个数必须大于0', 'The number of codes must be at least 1'),
  'redemption.count-high': e(
    200,
    '一次兑换码批量生成的个数不能大于 100',
    'At most 100 codes can be made at a time',
  ),
  'redemption.quota': e(200, '兑换码额度必须大于0', 'The quota of a redemption code must be at least 1'),
  'redemption.expiry': e(
    200,
    '过期时间不能早于当前时间',
    'A redemption code cannot have expired before it is there',
  ),
  'redemption.used': e(
    200,
    '该兑换码已被使用，无法修改',
    'This code has been used and can no longer be changed',
  ),
} as const satisfies ErrorTexts
