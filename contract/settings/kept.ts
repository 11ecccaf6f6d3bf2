import { choice, flag, integer } from './define.ts'

const contentScopes = [
  { value: 'off', label: { zh: '不记录', en: 'Nothing' } },
  { value: 'errors', label: { zh: '仅失败的调用', en: 'Failed calls only' } },
  { value: 'all', label: { zh: '所有调用', en: 'All calls' } },
] as const

/** Whole months beside the one that runs; three are what refunds, late charges and tasks need at the very most. */
const bookMonths = [
  { value: '0', label: { zh: '永久保留', en: 'Forever' } },
  { value: '3', label: { zh: '3 个月', en: '3 months' } },
  { value: '6', label: { zh: '6 个月', en: '6 months' } },
  { value: '12', label: { zh: '1 年', en: '1 year' } },
  { value: '24', label: { zh: '2 年', en: '2 years' } },
  { value: '36', label: { zh: '3 年', en: '3 years' } },
] as const

/** What is kept of calls, and for how long: in the log, of their contents, and in the books. */
export const keptSettings = {
  LogConsumeEnabled: flag('operation.log', true, {
    label: { zh: '启用额度消费日志记录', en: 'Log usage' },
  }),
  LogContentScope: choice('operation.log', 'off', contentScopes, {
    public: true,
    label: { zh: '记录请求与回答的内容', en: 'Record request and answer content' },
    help: {
      zh: '内容可能含有个人信息，请先告知用户；加密保存，本人与更高级别的管理员可见，管理员的每次查看都会记入操作记录',
      en: 'May contain personal data: tell your users first. Stored encrypted; readable by its owner and by administrators of higher rank, whose every look is audited',
    },
  }),
  LogContentDays: integer('operation.log', 7, {
    min: 1,
    max: 365,
    label: { zh: '内容保留天数', en: 'Keep content for (days)' },
  }),
  LogContentKilobytes: integer('operation.log', 64, {
    min: 1,
    max: 1024,
    label: { zh: '请求与回答各保留的上限（KB）', en: 'Limit per request and per answer (KB)' },
    help: { zh: '更长的只保留首尾', en: 'Longer ones keep only their beginning and end' },
  }),

  BooksMonths: choice('operation.log', '0', bookMonths, {
    label: { zh: '账本逐笔保留时长', en: 'Keep single calls in the books' },
    help: {
      zh: '更早的整月会合并为每个用户和令牌一笔的结账分录，余额不变、对账照常；这些调用的资金明细不再能逐笔查看，且无法恢复',
      en: 'Older whole months are merged into one closing entry per user and token. Balances and the audit are unaffected, but those calls can no longer be looked up one by one. This cannot be undone',
    },
  }),
  BooksFile: flag('operation.log', true, {
    label: { zh: '合并前先写入文件', en: 'Write them to a file first' },
    help: {
      zh: '保存为数据目录 books 文件夹中的压缩 JSON 行，请自行备份',
      en: 'Compressed JSON lines in the books folder of the data directory; back them up yourself',
    },
  }),
}
