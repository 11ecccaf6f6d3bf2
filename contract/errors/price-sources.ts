import { type ErrorTexts, e } from './define.ts'

/** Prices from elsewhere. Whoever asks has chosen the address, and is told why it gave none. */
export const priceSourceErrors = {
  'price-source.one': e(200, '请选择渠道或填写地址', 'Choose a channel or enter an address'),
  'price-source.no-address': e(200, '该渠道没有自己的地址', 'This channel has no address of its own'),
  'price-source.failed': e(200, '无法读取价格：{detail}', 'The prices could not be read: {detail}'),
  'price-source.status': e(200, '对方返回了状态码 {status}', 'The answer had status {status}'),
  'price-source.no-json': e(200, '返回的内容不是 JSON', 'The answer is not JSON'),
  'price-source.form': e(
    200,
    '返回的内容不是可识别的价格表',
    'The answer is no price list of a kind that is known here',
  ),
  'price-source.too-long': e(
    200,
    '价格表过长，最多 {most} 个模型',
    'The list is too long: at most {most} models',
  ),
  'price-source.edited': e(
    200,
    '未保存任何内容：这些模型的价格刚刚被修改过：{models}',
    'Nothing was saved: the prices of these models have been changed meanwhile: {models}',
  ),
  'price-source.figure': e(
    200,
    '模型 {model} 的价格不可用，未保存任何内容',
    'The price of {model} cannot be used, and nothing was saved',
  ),
} as const satisfies ErrorTexts
