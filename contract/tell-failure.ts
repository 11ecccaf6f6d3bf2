import { fill, type Language, type Text } from './language.ts'

const cancelled: Text = { zh: '已取消', en: 'Cancelled' }

/** Where there was no answer of any use, the relay notes a word of its own; so does who asks what is left. */
const ownWords: Readonly<Record<string, Text>> = {
  connect: { zh: '无法连接上游', en: 'The upstream could not be reached' },
  timeout: { zh: '上游响应超时', en: 'The upstream took too long' },
  empty: { zh: '上游返回的内容为空或无法识别', en: 'The upstream’s answer was empty or unreadable' },
  lack: { zh: '连接数已满，未发出请求', en: 'Not asked: too many connections are open' },
  // Of jobs that came to nothing and whose vendor says no more.
  CANCEL: cancelled,
  canceled: cancelled,
  cancelled,
  errored: { zh: '失败', en: 'Failed' },
  expired: { zh: '已过期', en: 'Expired' },
  failed: { zh: '失败', en: 'Failed' },
  余额不足: { zh: '余额不足', en: 'Nothing is left of its balance' },
}

/**
 * What tasks end with that no vendor told of, and why a channel is too slow to stay: it is noted in Chinese, as
 * `contract/errors` has it.
 */
const ends: readonly (readonly [as: RegExp, en: string])[] = [
  [
    /^任务超时（超过 (?<n>\d+) 分钟）$/,
    'The task took longer than {n, plural, one {# minute} other {# minutes}}',
  ],
  [
    /^上游已超过 (?<n>\d+) 分钟查不到该任务$/,
    'The upstream has not known the task for {n, plural, one {# minute} other {# minutes}}',
  ],
  [/^提交中断，请重试$/, 'The submission was interrupted, try again'],
  [/^渠道已被删除$/, 'The channel was removed'],
  [/^回答被护栏规则“(?<rule>.*)”拦截$/, 'The answer was blocked by the guard “{rule}”'],
  [/^文本过长，护栏规则“(?<rule>.*)”无法检查$/, 'The text is too long to be checked by the guard “{rule}”'],
  [/^响应时间 (?<took>[\d.]+)s 超过阈值 (?<most>[\d.]+)s$/, 'It took {took} s to answer, more than {most} s'],
]

/** As the relay notes it, as tests of channels say it, and as other programs of this family have written it. */
const withStatus =
  /^(?:status(?: code|_code=)? ?|上游返回(?:了状态码)? |The upstream answered with status )(\d{3})(?:[,:：] *(.*))?$/s
/** What stands for the words of a vendor that had none tells no more than the status before it. */
const wordless = /(?:^|: )The upstream (?:answered with status \d{3}|reported an error)$/

/**
 * How an upstream or a task failed is kept as it was noted once; whoever reads it is told in their own language. What
 * the vendor said stays as it is.
 */
export function tellFailure(reason: string, language: Language): string {
  if (Object.hasOwn(ownWords, reason)) return ownWords[reason]?.[language] ?? reason
  const [, status, said = ''] = withStatus.exec(reason) ?? []
  if (status === undefined) return language === 'zh' ? reason : tellEnd(reason)
  const answered = language === 'zh' ? `上游返回 ${status}` : `The upstream answered ${status}`
  return [answered, said.replace(wordless, '')].filter(Boolean).join(language === 'zh' ? '：' : ': ')
}

function tellEnd(reason: string): string {
  for (const [as, en] of ends) {
    const found = as.exec(reason)
    if (found) return fill(en, found.groups)
  }
  return reason
}
