import type { Language, Text } from './language.ts'

/** Where there was no answer of any use, the relay notes a word of its own; so does who asks what is left. */
const ownWords: Readonly<Record<string, Text>> = {
  connect: { zh: '无法连接上游', en: 'The upstream could not be reached' },
  timeout: { zh: '上游响应超时', en: 'The upstream took too long' },
  empty: { zh: '上游返回的内容为空或无法识别', en: 'The upstream’s answer was empty or unreadable' },
  lack: { zh: '连接数已满，未发出请求', en: 'Not asked: too many connections are open' },
  余额不足: { zh: '余额不足', en: 'Nothing is left of its balance' },
}

/** As the relay notes it, as tests of channels say it, and as other programs of this family have written it. */
const withStatus = /^(?:status(?: code|_code=)? ?|上游返回 )(\d{3})(?:[,:：] *(.*))?$/s

/**
 * How an upstream failed is kept as it was noted once; whoever reads it is told in their own language. What the vendor
 * said stays as it is.
 */
export function tellFailure(reason: string, language: Language): string {
  if (Object.hasOwn(ownWords, reason)) return ownWords[reason]?.[language] ?? reason
  const [, status, said = ''] = withStatus.exec(reason) ?? []
  if (status === undefined) return reason
  const answered = language === 'zh' ? `上游返回 ${status}` : `The upstream answered ${status}`
  return [answered, said].filter(Boolean).join(language === 'zh' ? '：' : ': ')
}
