import * as z from 'zod/mini'
import { type GuardRule, guardRule, MOST_RULES } from '../guards/rule.ts'
import type { Text } from '../language.ts'
import { Pattern } from '../override/pattern.ts'
import { isWebAddress } from '../web-address.ts'
import { flag, json, SettingError, secret } from './define.ts'

/** Rules for what is asked and answered. */
export const guardSettings = {
  Guards: json<GuardRule[]>('operation.guards', [], {
    schema: z.array(guardRule),
    refuse: refuseRules,
    changeSecrets,
    changeAddresses: (rules, change) =>
      rules.map(rule => {
        const { name, looks } = rule
        return looks.by === 'webhook' ? { ...rule, looks: { ...looks, url: change(looks.url, name) } } : rule
      }),
    label: { zh: '护栏规则', en: 'Guards' },
    help: {
      zh: '依次检查模型与 MCP 工具的请求与回答：拦截、遮盖或仅记录；图片与声音不检查',
      en: 'Checked in order on requests and answers of models and MCP tools, to block, mask or log; images and audio are not checked',
    },
  }),
  GuardsRefuseUnread: flag('operation.guards', false, {
    label: { zh: '拒绝规则无法检查的请求', en: 'Refuse what rules cannot check' },
    help: {
      zh: '有规则适用时，拒绝其模型的实时会话，以及任意 HTTP 接口中无法检查的内容（文件、流等）',
      en: 'Where a rule applies to their group and model, realtime sessions are refused, and so is what cannot be checked (files, streams) of any HTTP API',
    },
  }),
  GuardsSecret: secret('operation.guards', {
    label: { zh: 'Webhook 密钥', en: 'Webhook secret' },
    help: {
      zh: '以 Authorization: Bearer 发给没有自己密钥的 Webhook；留空则不发',
      en: 'Sent as Authorization: Bearer to webhooks without their own; leave blank to send none',
    },
  }),
}

function refuseRules(rules: readonly GuardRule[]): SettingError | undefined {
  if (rules.length > MOST_RULES) return refusal(`最多 ${MOST_RULES} 条规则`, `at most ${MOST_RULES} rules`)
  for (const [at, rule] of rules.entries()) {
    const fault = faultOfRule(rule, rules.slice(0, at))
    if (fault) return refusal(`${rule.name}：${fault.zh}`, `${rule.name}: ${fault.en}`)
  }
  return undefined
}

/** A secret is for who got it: under another name or address it has to be given again. */
function changeSecrets(rules: GuardRule[], change: (secret: string, of: string) => string): GuardRule[] {
  return rules.map(rule => {
    const { name, looks } = rule
    if (looks.by !== 'webhook' || !looks.secret) return rule
    return { ...rule, looks: { ...looks, secret: change(looks.secret, `${name} · ${looks.url}`) } }
  })
}

/** What is wrong with a rule beyond its structure. */
export function faultOfRule(
  { name, looks, action }: GuardRule,
  others: readonly GuardRule[],
): Text | undefined {
  if (others.some(other => other.name === name)) return { zh: '名称重复', en: 'this name is taken' }
  if (looks.by === 'pattern') return faultOfPattern(looks.pattern)
  if (looks.by === 'webhook' && !isWebAddress(looks.url))
    return {
      zh: 'Webhook 必须是以 http:// 或 https:// 开头的地址',
      en: 'the webhook must be an address that begins with http:// or https://',
    }
  if (looks.by === 'model' && action === 'mask')
    return {
      zh: '模型只判断有没有问题，不指出在哪里：请选择拦截或仅记录',
      en: 'a model says that something is wrong, not where: choose block or note',
    }
  return undefined
}

function faultOfPattern(source: string): Text | undefined {
  try {
    if (!new Pattern(source).test('', { steps: 10_000 })) return undefined
  } catch (error) {
    const { message } = error as Error
    return {
      zh: `正则表达式无法使用：${message}`,
      en: `the regular expression cannot be used: ${message}`,
    }
  }
  return { zh: '正则表达式不能匹配空文本', en: 'the regular expression must not match an empty text' }
}

function refusal(zh: string, en: string): SettingError {
  return new SettingError('option.value', { zh, en })
}
