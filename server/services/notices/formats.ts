/** Something that somebody is told. */
export interface Notice {
  readonly type: 'quota_exceed' | 'channel_update' | 'channel_test' | 'ledger_audit' | 'log_sink' | 'test'
  readonly title: string
  readonly content: string
  /** What stands in the content, for programs that read it. */
  readonly values: readonly (string | number)[]
  /** Seconds since 1970. */
  readonly timestamp: number
}

export type Format = 'json' | 'slack' | 'feishu' | 'dingtalk'

const hosts: Readonly<Record<string, Format>> = {
  'hooks.slack.com': 'slack',
  'open.feishu.cn': 'feishu',
  'open.larksuite.com': 'feishu',
  'oapi.dingtalk.com': 'dingtalk',
  'api.dingtalk.com': 'dingtalk',
  'qyapi.weixin.qq.com': 'dingtalk',
}

/** The services that take their own form and no other; Discord has a door for Slack's. */
export function formatOf(address: string): Format {
  const url = URL.parse(address)
  if (url?.pathname.endsWith('/slack') && /^(\w+\.)?discord(app)?\.com$/.test(url.hostname)) return 'slack'
  return hosts[url?.hostname ?? ''] ?? 'json'
}

/** The least that one of them takes at once. */
export const LONGEST_TEXT = 2000

/** What a chat shows of it. */
export function textOf({ title, content }: Notice): string {
  return `${title}\n${content}`
}

export function writeText(format: Exclude<Format, 'json'>, text: string): string {
  const cut = cutToBytes(text, LONGEST_TEXT)
  // Words of an upstream may be in it: they are to call nobody.
  if (format === 'slack') return JSON.stringify({ text: escapeForSlack(cut) })
  if (format === 'feishu')
    return JSON.stringify({ msg_type: 'text', content: { text: cut.replace(/<(?=\/?at\b)/gi, '‹') } })
  return JSON.stringify({ msgtype: 'text', text: { content: cut } })
}

function escapeForSlack(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

function cutToBytes(text: string, most: number): string {
  const bytes = Buffer.from(text)
  if (bytes.byteLength <= most) return text
  // A character that was cut in two comes out as one that says so.
  return `${bytes
    .subarray(0, most - 3)
    .toString()
    .replace(/�+$/, '')}…`
}

const LONGEST_DETAIL = 200

/** Feishu, DingTalk and WeCom answer 200 whatever they think: what they think is in the body. */
export function faultIn(answer: string): string | undefined {
  let read: Record<string, unknown>
  try {
    read = JSON.parse(answer) ?? {}
  } catch {
    return undefined
  }
  const code = read.errcode ?? read.code
  if (typeof code !== 'number' || code === 0) return undefined
  return `${code} ${read.errmsg ?? read.msg ?? ''}`.trim().slice(0, LONGEST_DETAIL)
}
