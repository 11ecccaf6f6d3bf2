// What people call the values that records hold as the store does. No React in here.

import { channelTypes } from '../../../../contract/channel-types.ts'
import type { Language, Text } from '../../../../contract/language.ts'
import type { Setting } from '../../../../contract/settings/define.ts'
import { tellFailure } from '../../../../contract/tell-failure.ts'
import { roles, userStatuses } from '../../../../contract/users.ts'
import { type Display, formatExactly } from '../../../quota.ts'

type Names = Readonly<Record<string, Text>>

const on: Text = { zh: '开启', en: 'On' }
const off: Text = { zh: '关闭', en: 'Off' }
const enabled: Text = { zh: '已启用', en: 'Enabled' }
const disabled: Text = { zh: '已禁用', en: 'Disabled' }
const onSale: Text = { zh: '在售', en: 'On sale' }
const offSale: Text = { zh: '已下架', en: 'Off sale' }
/** Columns that say yes or no hold numbers, and what was sent for them does not. */
const switched: Names = { 0: off, 1: on, true: on, false: off }

/** By what the action is about, and the field: a status is another of channels than of users. */
const valueTexts: Readonly<Record<string, Names>> = {
  'account.notify_type': {
    email: { zh: '邮箱', en: 'Email' },
    webhook: { zh: 'Webhook', en: 'Webhook' },
    bark: { zh: 'Bark', en: 'Bark' },
    gotify: { zh: 'Gotify', en: 'Gotify' },
  },
  'channel.auto_ban': switched,
  'channel.status': { 1: enabled, 2: disabled, 3: { zh: '自动禁用', en: 'Auto-off' } },
  'channel.type': Object.fromEntries(channelTypes.map(({ id, name }) => [id, name])),
  'mcp-server.enabled': { 0: disabled, 1: enabled },
  'plan.duration_unit': { day: { zh: '天', en: 'Days' }, month: { zh: '个月', en: 'Months' } },
  'plan.on_sale': { 0: offSale, 1: onSale, true: onSale, false: offSale },
  'plan.period': {
    none: { zh: '整个有效期', en: 'Whole duration' },
    day: { zh: '每天', en: 'Every day' },
    week: { zh: '每周', en: 'Every week' },
    month: { zh: '每月', en: 'Every month' },
  },
  'redemption.expired_time': { 0: { zh: '永不过期', en: 'Never' } },
  'redemption.status': { 1: { zh: '未使用', en: 'Unused' }, 2: disabled, 3: { zh: '已使用', en: 'Used' } },
  'team.role': { owner: { zh: '所有者', en: 'Owner' }, member: { zh: '成员', en: 'Member' } },
  'team.tokens': { disable: { zh: '禁用', en: 'Disable' }, keep: { zh: '保留', en: 'Keep' } },
  'user.role': {
    [roles.team]: { zh: '团队', en: 'Team' },
    [roles.user]: { zh: '普通用户', en: 'User' },
    [roles.admin]: { zh: '管理员', en: 'Admin' },
    [roles.root]: { zh: '超级管理员', en: 'Super admin' },
  },
  'user.status': {
    [userStatuses.active]: { zh: '已激活', en: 'Active' },
    [userStatuses.banned]: { zh: '已封禁', en: 'Banned' },
  },
}

/** What people call a value; undefined for one that says what it is. */
export type NameValue = (field: string, value: unknown) => string | undefined

export function valuesOfAction(action: string, language: Language): NameValue {
  const about = action.replace(/\..*/s, '')
  return (field, value) => {
    if (field === 'other_info.status_reason') return tellFailure(String(value), language)
    const names = valueTexts[`${about}.${field}`]
    const name = names && Object.hasOwn(names, String(value)) ? names[String(value)] : undefined
    if (name) return name[language]
    return typeof value === 'boolean' ? (value ? on : off)[language] : undefined
  }
}

/** An entry of a table is as its operator wrote it: none is an amount or a status because it is called like one. */
export function valuesOfSetting(
  setting: Setting | undefined,
  language: Language,
  display: Display | undefined,
): NameValue {
  return (field, value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (field !== '') return text
    if (setting?.kind === 'flag') return switched[text]?.[language] ?? text
    if (setting?.kind === 'quota' && display && /^-?\d+$/.test(text))
      return formatExactly(Number(text), display)
    return setting?.choices?.find(choice => choice.value === text)?.label[language] ?? text
  }
}
