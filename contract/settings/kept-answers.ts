import { decimal, integer, list, text } from './define.ts'

const named = {
  item: /^.{1,255}$/,
  hint: { zh: '每个名称最多 255 个字符', en: 'each name must be at most 255 characters long' },
}

/** Answers that are given again: to the same request, and to one that means the same. */
export const keptAnswerSettings = {
  AnswerCacheSeconds: integer('operation.cache', 0, {
    max: 30 * 86_400,
    label: { zh: '回答缓存时长（秒）', en: 'Cache answers for (seconds)' },
    help: {
      zh: '仅用于带请求头 x-tollgate-cache 的调用；0 为关闭',
      en: 'Only for calls with the header x-tollgate-cache; 0 means off',
    },
  }),
  AnswerCacheRatio: decimal('operation.cache', 0, {
    max: 1,
    label: { zh: '缓存回答倍率', en: 'Price ratio of cached answers' },
    help: {
      zh: '命中时按现价的此比例扣费，0 为免费',
      en: 'Relative to the current price of the call; 0 means free',
    },
  }),
  AnswerCacheMegabytes: integer('operation.cache', 64, {
    min: 1,
    max: 4096,
    label: { zh: '回答缓存内存（MB）', en: 'Cache memory (MB)' },
    help: { zh: '每个进程及 Redis 各自的上限', en: 'Limit for each process, and for Redis' },
  }),
  SemanticCacheModel: text('operation.cache', '', {
    max: 255,
    label: { zh: '语义缓存的向量模型', en: 'Embedding model for the semantic cache' },
    help: {
      zh: '仅用于 x-tollgate-cache: semantic 的调用：意思相同的问题得到已缓存的回答。须由已有渠道提供，费用由运营者承担；留空为关闭',
      en: 'Only for calls with x-tollgate-cache: semantic: questions that mean the same get the cached answer. Must be served by your channels, at your cost; blank means off',
    },
  }),
  SemanticCacheSimilarity: decimal('operation.cache', 0.95, {
    min: 0.5,
    max: 1,
    label: { zh: '最低相似度', en: 'Minimum similarity' },
    help: {
      zh: '余弦相似度；越低命中越多，答非所问也越多，各向量模型的尺度不同',
      en: 'Cosine similarity. Lower means more hits, and more wrong ones; each model has its own scale',
    },
  }),
  SemanticCacheSeconds: integer('operation.cache', 86_400, {
    min: 1,
    max: 30 * 86_400,
    label: { zh: '语义命中的最长时效（秒）', en: 'Maximum age of a semantic hit (seconds)' },
    help: { zh: '不超过回答缓存时长', en: 'Never longer than answers are cached' },
  }),
  SemanticCacheModels: list('operation.cache', [], {
    ...named,
    label: { zh: '语义缓存适用的模型', en: 'Models with a semantic cache' },
    help: { zh: '如 gpt-4o、claude-*；留空为全部', en: 'Such as gpt-4o, claude-*; blank means all' },
  }),
  SemanticCacheGroups: list('operation.cache', [], {
    ...named,
    label: { zh: '语义缓存适用的分组', en: 'Groups with a semantic cache' },
    help: { zh: '留空为全部', en: 'Blank means all' },
  }),
  SemanticCacheEntries: integer('operation.cache', 10_000, {
    min: 1,
    max: 1_000_000,
    label: { zh: '最多比较的问题数', en: 'Maximum questions to compare' },
    help: { zh: '每个进程；每个约 2 KB 内存', en: 'For each process; each takes about 2 KB' },
  }),
}
