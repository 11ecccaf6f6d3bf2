import type { ChannelRestView } from '../../../contract/channel-rests.ts'
import type { Text } from '../../../contract/language.ts'

/** Why a channel is left alone for a while, for people. */
export const restReasonTexts: Readonly<Record<ChannelRestView['reason'], Text>> = {
  rate: { zh: '上游限流', en: 'rate limited upstream' },
  server: { zh: '上游连续出错', en: 'upstream keeps failing' },
  timeout: { zh: '上游连续超时', en: 'upstream keeps timing out' },
  connect: { zh: '连续无法连接上游', en: 'upstream cannot be reached' },
  empty: { zh: '上游连续返回空响应', en: 'upstream keeps answering nothing' },
  auth: { zh: '密钥被上游拒绝', en: 'key refused upstream' },
}

/** How it is told. */
export const restTexts = {
  whole: { zh: '冷却中', en: 'Resting' },
  some: { zh: '冷却 {count}/{all}', en: 'Rest {count}/{all}' },
  keys: { zh: '密钥冷却 {count}/{all}', en: 'Keys resting {count}/{all}' },
  until: { zh: '至 {time}', en: 'to {time}' },
  allModels: { zh: '所有模型', en: 'All models' },
  line: { zh: '{model}：{reason}，至 {time}', en: '{model}: {reason}, until {time}' },
  more: { zh: '另有 {count} 个模型', en: 'and {count} more models' },
  lead: {
    zh: '正在冷却：到时间会自动恢复，其间请求会交给其他渠道。',
    en: 'Resting: calls go to other channels meanwhile, and it comes back by itself.',
  },
  end: { zh: '结束冷却', en: 'End rest' },
  ended: { zh: '冷却已结束', en: 'The rest has ended' },
} as const satisfies Readonly<Record<string, Text>>
