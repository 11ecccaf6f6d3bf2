import type { Language, Text } from '../../../contract/language.ts'
import { useLanguage } from '../../text.ts'

/** What the figures of a charge are called. They travel with what shows charges: nobody needs them to log in. */
const ledgerTexts = {
  audio: { zh: '音频输入', en: 'audio input' },
  audioOutput: { zh: '音频输出', en: 'audio output' },
  audioOutputRatio: { zh: '音频输出倍率', en: 'audio output ratio' },
  audioRatio: { zh: '音频倍率', en: 'audio ratio' },
  batch: { zh: '批处理', en: 'batch' },
  cacheRead: { zh: '缓存读取', en: 'cache read' },
  cacheReadRatio: { zh: '缓存倍率', en: 'cache ratio' },
  cacheWrite: { zh: '缓存写入', en: 'cache write' },
  cacheWriteHour: { zh: '缓存写入（1 小时）', en: 'cache write (1 h)' },
  cacheWriteRatio: { zh: '写入倍率', en: 'write ratio' },
  calls: { zh: '次数', en: 'calls' },
  completion: { zh: '补全', en: 'output' },
  completionRatio: { zh: '补全倍率', en: 'output ratio' },
  cost: { zh: '扣费', en: 'charged' },
  group: { zh: '分组倍率', en: 'group' },
  image: { zh: '图像输入', en: 'image input' },
  imageRatio: { zh: '图像倍率', en: 'image ratio' },
  model: { zh: '模型倍率', en: 'model' },
  price: { zh: '每次价格', en: 'per call' },
  prompt: { zh: '提示', en: 'input' },
  searches: { zh: '搜索次数', en: 'searches' },
  share: { zh: '缓存回答', en: 'kept answer' },
  unit: { zh: '每美元额度', en: 'per dollar' },
} as const satisfies Readonly<Record<string, Text>>

type LedgerWord = keyof typeof ledgerTexts

/** For what is drawn often: a hook in every cell would be felt. */
export function ledgerWord(word: LedgerWord, language: Language): string {
  return ledgerTexts[word][language]
}

export function useLedgerWords(): (word: LedgerWord) => string {
  const language = useLanguage()
  return word => ledgerWord(word, language)
}
