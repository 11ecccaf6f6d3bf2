import { type ErrorTexts, e } from './define.ts'

export const paymentErrors = {
  'top-up.off': e(404, '当前管理员未配置支付信息', 'The administrator has not set up this way to pay'),
  'payment.amount': e(200, '参数错误', 'The amount must be a whole number'),
  'payment.too-few': e(200, '充值数量不能小于 {least}', 'The smallest top-up is {least}'),
  'payment.too-many': e(200, '充值数量过大', 'The top-up is too large'),
  'payment.too-cheap': e(200, '充值金额过低', 'The price of this top-up is too low to be paid'),
  'payment.method': e(200, '不支持的支付方式', 'There is no such way to pay'),
  'payment.unreachable': e(
    200,
    '暂时无法连接支付平台，请稍后再试',
    'The payment provider did not answer; try again in a while',
  ),
  'payment.refused': e(
    200,
    '支付平台未接受该订单，请联系管理员',
    'The payment provider did not accept this order; ask the administrator',
  ),
  'payment.signature': e(400, '签名无效', 'The signature is not valid'),
  'payment.event': e(400, '无法识别的事件', 'The event cannot be read'),
  'payment.not-credited': e(409, '该订单无法入账', 'The order cannot be credited'),
} as const satisfies ErrorTexts
