import type { Text } from '../language.ts'
import { decimal, json, ratioMap, type Setting, tokenMap } from './define.ts'
import { toolPrices, webSearchPrices } from './tool-prices.ts'

/** Model name to figure. What is not in the map has its built-in figure. */
function modelRatios(label: Text, help: Text): Setting<Record<string, number>> {
  return json<Record<string, number>>('operation.ratios', {}, { schema: ratioMap, label, help })
}

/** A number field that was emptied means none. */
function blankIsZero(setting: Setting<number>): Setting<number> {
  return { ...setting, decode: text => (text.trim() === '' ? 0 : setting.decode(text)) }
}

/** What models and their vendors' tools cost. */
export const priceSettings = {
  ModelPrice: modelRatios(
    { zh: '模型固定价格', en: 'Fixed prices' },
    {
      zh: '一次调用消耗多少美元，优先级大于模型倍率',
      en: 'Dollars per call; takes precedence over the model ratio',
    },
  ),
  ModelRatio: modelRatios(
    { zh: '模型倍率', en: 'Model ratios' },
    { zh: '倍率 1 即每百万 Token 2 美元', en: 'Ratio 1 is 2 dollars per million tokens' },
  ),
  CompletionRatio: modelRatios(
    { zh: '模型补全倍率', en: 'Output ratios' },
    { zh: '补全相对于提示的倍率', en: 'What output costs relative to input' },
  ),
  CacheRatio: modelRatios(
    { zh: '缓存读取倍率', en: 'Cache read ratios' },
    { zh: '命中缓存的提示相对于普通提示的倍率', en: 'What cached input costs relative to input' },
  ),
  CreateCacheRatio: modelRatios(
    { zh: '缓存写入倍率', en: 'Cache write ratios' },
    {
      zh: '写入缓存的提示相对于普通提示的倍率；保留一小时的为其 1.6 倍',
      en: 'What input written to the cache costs relative to input; 1.6 times that when kept for an hour',
    },
  ),
  ImageRatio: modelRatios(
    { zh: '图片输入倍率', en: 'Image input ratios' },
    { zh: '图片输入相对于文字提示的倍率', en: 'What images in the input cost relative to text' },
  ),
  AudioRatio: modelRatios(
    { zh: '音频倍率', en: 'Audio ratios' },
    { zh: '音频输入相对于文字提示的倍率', en: 'What audio input costs relative to text' },
  ),
  AudioCompletionRatio: modelRatios(
    { zh: '音频补全倍率', en: 'Audio output ratios' },
    { zh: '音频输出相对于音频输入的倍率', en: 'What audio output costs relative to audio input' },
  ),
  LongInputRatio: modelRatios(
    { zh: '长输入倍率', en: 'Long input ratios' },
    {
      zh: '长输入时，输入价格变为平时的多少倍；1 为不变',
      en: 'What input costs relative to its usual price when it is long; 1 for no change',
    },
  ),
  LongOutputRatio: modelRatios(
    { zh: '长输入补全倍率', en: 'Output ratios for long input' },
    {
      zh: '长输入时，补全价格变为平时的多少倍；不写则与长输入倍率相同',
      en: 'What output costs relative to its usual price when the input is long; defaults to the long input ratio',
    },
  ),
  LongInputFrom: json<Record<string, number>>(
    'operation.ratios',
    {},
    {
      schema: tokenMap,
      label: { zh: '长输入起点', en: 'Long input threshold' },
      help: {
        zh: '输入超过多少 Token 算长输入；不写则为 20 万',
        en: 'Input with more tokens than this is long; defaults to 200,000',
      },
    },
  ),
  WebSearchPrice: json<Record<string, number>>('operation.ratios', webSearchPrices, {
    schema: ratioMap,
    label: { zh: '联网搜索价格', en: 'Web search prices' },
    help: {
      zh: '上游每搜索 1000 次多少美元；键为模型名称的开头，最长的优先，其余用 default；冒号后为 search_context_size',
      en: 'Dollars per 1,000 searches made by the upstream; keys are model name prefixes, the longest match counts, default is for the rest; a search_context_size can follow after a colon',
    },
  }),
  ToolPrice: json<Record<string, number>>('operation.ratios', toolPrices, {
    schema: ratioMap,
    label: { zh: '上游工具价格', en: 'Tool prices' },
    help: {
      zh: '上游自带工具每调用 1000 次多少美元；键为工具名，或“模型名称开头:工具名”；没有价格的工具不会发给上游',
      en: 'Dollars per 1,000 uses of the upstream’s own tools; keys are a tool, or “model name prefix:tool”; tools without a price are not sent upstream',
    },
  }),
  InferenceGeoRatio: decimal('operation.ratios', 1.1, {
    max: 1000,
    label: { zh: '指定地区倍率', en: 'Region ratio' },
    help: {
      zh: '请求以 inference_geo 指定地区时，Token 价格变为平时的多少倍（Anthropic）',
      en: 'What tokens cost relative to their usual price when inference_geo selects a region (Anthropic)',
    },
  }),
  BatchRatio: decimal('operation.ratios', 0.5, {
    max: 1000,
    label: { zh: '批处理倍率', en: 'Batch ratio' },
    help: {
      zh: '批处理的价格为平时的多少倍',
      en: 'What batches cost relative to the usual price',
    },
  }),
  DefaultModelRatio: blankIsZero(
    decimal('operation.ratios', 0, {
      label: { zh: '未知模型默认倍率', en: 'Default ratio of unknown models' },
      help: {
        zh: '没有价格的模型按此倍率计费；0 或留空则拒绝请求',
        en: 'Models without a price are billed at this ratio; 0 or blank refuses them',
      },
    }),
  ),
}
