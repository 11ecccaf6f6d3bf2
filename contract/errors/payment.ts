import { type ErrorTexts, e } from './define.ts'

export const paymentErrors = {
  'payment.amount': e(200, '参数错误', 'The amount must be a whole number'),
  'payment.too-few': e(200, '充值数量不能小于 {least}', 'The smallest top-up is {least}'),
  'payment.too-many': e(200, '充值数量过大', 'The top-up is too large'),
  'payment.too-cheap': e(200, '充值金额过低', 'The price of this top-up is too low to be paid'),
} as const satisfies ErrorTexts
