import { COMMAND } from '../program.ts'
import type { OlderRow } from './older-database.ts'

// What an operator of an older tool has, and the commands that take it over.

export const WANG_KEY = 'wangwangwangwangwangwangwangwangwangwangwangwang'
export const CODE = '0123456789abcdef0123456789abcdef'

export async function run(environment: Record<string, string>, ...args: string[]) {
  const child = Bun.spawn([...COMMAND, ...args], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code: child.exitCode, out, err }
}

const bcrypt = (password: string): Promise<string> =>
  Bun.password.hash(password, { algorithm: 'bcrypt', cost: 4 })

export async function peopleOf(rootPassword = 'old-root-pass'): Promise<readonly OlderRow[]> {
  return [
    {
      ...{ id: 1, username: 'root', password: await bcrypt(rootPassword), display_name: 'Root User' },
      ...{ role: 100, status: 1, email: '', access_token: 'a'.repeat(32), quota: 100_000_000, used_quota: 0 },
      ...{ request_count: 0, group: 'default', aff_code: 'ROOT', inviter_id: 0 },
    },
    {
      ...{
        id: 7,
        username: 'wang',
        password: await bcrypt('wang-pass'),
        display_name: '王',
        role: 1,
        status: 1,
      },
      ...{ email: 'Wang@Example.com', github_id: 'gh-wang', access_token: 'b'.repeat(32), quota: 5_000_000 },
      ...{ used_quota: 123, request_count: 9, group: 'vip', aff_code: 'WANG', inviter_id: 1 },
    },
    {
      ...{ id: 9, username: 'banned', password: await bcrypt('banned-pass'), display_name: '', role: 1 },
      ...{ status: 2, email: 'wang@example.com', github_id: 'gh-wang', access_token: 'c'.repeat(32) },
      ...{ quota: -40, used_quota: 40, request_count: 1, group: 'default', aff_code: 'BANN', inviter_id: 0 },
    },
  ]
}

export const tokens: readonly OlderRow[] = [
  {
    ...{ id: 3, user_id: 7, key: WANG_KEY, status: 1, name: 'laptop', created_time: 1_700_000_000 },
    ...{ accessed_time: 1_700_000_100, expired_time: -1, remain_quota: 2_000_000, unlimited_quota: false },
    used_quota: 55,
  },
  {
    ...{ id: 4, user_id: 7, key: 'u'.repeat(48), status: 1, name: 'no limit', created_time: 1_700_000_000 },
    ...{ accessed_time: 0, expired_time: -1, remain_quota: -99, unlimited_quota: true, used_quota: 99 },
  },
  {
    ...{
      id: 5,
      user_id: 12_345,
      key: 'o'.repeat(48),
      status: 1,
      name: 'orphan',
      created_time: 1_700_000_000,
    },
    ...{ accessed_time: 0, expired_time: -1, remain_quota: 1, unlimited_quota: false, used_quota: 0 },
  },
]

export const redemptions: readonly OlderRow[] = [
  {
    ...{ id: 2, user_id: 1, key: CODE, status: 1, name: 'spring', quota: 700, created_time: 1_700_000_000 },
    redeemed_time: 0,
  },
  {
    ...{ id: 3, user_id: 1, key: `f${CODE.slice(1)}`, status: 3, name: 'spring', quota: 700 },
    ...{ created_time: 1_700_000_000, redeemed_time: 1_700_000_500 },
  },
]

export const options: readonly OlderRow[] = [
  { key: 'SystemName', value: '老王的站' },
  { key: 'SMTPToken', value: 'smtp-secret' },
  { key: 'GroupRatio', value: '{"default":1,"vip":2}' },
  { key: 'GroupGroupRatio', value: '{"vip":{"default":0.8}}' },
  { key: 'AutoGroups', value: '["default","vip"]' },
  { key: 'DefaultUseAutoGroup', value: 'true' },
  { key: 'RetryTimes', value: 'often' },
  { key: 'SomethingOfTheirs', value: '1' },
]

export const LONG_AGO = 1_700_000_000
const call = {
  ...{ user_id: 7, username: 'wang', token_name: 'laptop', model_name: 'gpt-4o', content: '模型倍率 1.25' },
  ...{ type: 2, prompt_tokens: 10, completion_tokens: 5, channel_id: 11, is_stream: true },
}
export const logs: readonly OlderRow[] = [
  { ...call, id: 1, created_at: LONG_AGO, quota: 100 },
  { ...call, id: 2, created_at: LONG_AGO + 1, quota: 23 },
  { ...call, id: 5, created_at: LONG_AGO + 90_000, quota: 7, model_name: 'gpt-4o-mini' },
  {
    ...{
      id: 6,
      user_id: 7,
      username: 'wang',
      created_at: LONG_AGO + 9,
      type: 1,
      content: '通过兑换码充值 $1',
    },
    ...{ token_name: '', model_name: '', quota: 0, prompt_tokens: 0, completion_tokens: 0, channel_id: 0 },
  },
]

/** Each engine as the one that is left, and another as the one that is come to. */
