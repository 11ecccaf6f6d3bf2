// An installation that has been in use for a while: every list has several pages and every state its example.
// Always the same but for the time of day.

import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { Client } from '../client.ts'
import { seeded } from '../faults/random.ts'
import type { Stage } from './harness.ts'
import { openChannels } from './lived-in/channels.ts'
import { placeOrders, printCodes } from './lived-in/codes-and-orders.ts'
import { compose, draw } from './lived-in/drawings-and-tasks.ts'
import { addMcpServers } from './lived-in/mcp-servers.ts'
import { settlePeople } from './lived-in/people.ts'
import { offerPlans } from './lived-in/plans.ts'
import { callPrompts, keepPrompts } from './lived-in/prompts.ts'
import { watchServices } from './lived-in/status-pages.ts'
import { formTeams } from './lived-in/teams.ts'
import { issueTokens } from './lived-in/tokens.ts'
import { makeUsage } from './lived-in/usage.ts'

const PASSWORD = 'lived-in-pass-1'
const options: Record<string, unknown> = {
  GlobalApiRateLimit: 0,
  CriticalRateLimit: 0,
  Guards: [
    {
      name: '个人信息',
      enabled: true,
      where: ['input', 'output'],
      groups: [],
      models: [],
      looks: { by: 'kinds', kinds: ['email', 'phone', 'card', 'id'] },
      action: 'mask',
    },
    {
      name: 'no-secrets',
      enabled: true,
      where: ['input'],
      groups: ['default'],
      models: ['gpt-*'],
      looks: { by: 'kinds', kinds: ['key'] },
      action: 'block',
    },
    {
      name: 'orders',
      enabled: false,
      where: ['output'],
      groups: [],
      models: [],
      looks: { by: 'pattern', pattern: '\\bORD-\\d{4,10}\\b' },
      action: 'note',
    },
    {
      name: 'moderation',
      enabled: true,
      where: ['input'],
      groups: [],
      models: [],
      looks: {
        by: 'model',
        model: 'omni-moderation-latest',
        categories: { violence: 0.7, hate: 'flagged', 'self-harm/intent': 'flagged' },
        seconds: 5,
        otherwise: 'allow',
      },
      action: 'block',
    },
    {
      name: 'own-check',
      enabled: false,
      where: ['input'],
      groups: [],
      models: [],
      looks: { by: 'webhook', url: 'https://checks.example.com/texts', seconds: 5, otherwise: 'allow' },
      action: 'block',
    },
  ],
  ApiInfo: [
    {
      url: 'https://gateway.example.com',
      route: '主线路',
      description: '推荐，海外与国内均可访问',
      color: 'green',
    },
    { url: 'https://cn.gateway.example.com/v1', route: '国内加速', description: '电信、联通', color: 'blue' },
    { url: 'http://10.20.0.8:3000', route: 'Office network', description: '', color: 'grey' },
  ],
  Announcements: [
    {
      content: '今晚 **23:00–23:30** 升级数据库，期间调用可能失败，请稍后重试。',
      publishDate: '2026-11-12T02:00:00Z',
      type: 'ongoing',
      extra: '余额不受影响',
    },
    {
      content: '新增 `claude-sonnet-4-6` 与 `gpt-5.5`，见[模型价格](/pricing)。',
      publishDate: '2026-11-03T09:30:00Z',
      type: 'success',
      extra: '',
    },
    {
      content:
        'The old domain closes at the end of the month. Change the base URL of your programs before:\n\n- chat clients\n- scripts',
      publishDate: '2026-10-20T09:30:00Z',
      type: 'warning',
      extra: '',
    },
    { content: '欢迎使用。', publishDate: '2026-09-01T00:00:00Z', type: 'default', extra: '' },
  ],
  FAQ: [
    {
      question: '为什么余额不足时请求会被拒绝？',
      answer: '请求开始前会按最多可能的费用**预留**，结束后按实际用量结算。',
    },
    { question: 'Which base URL do I use?', answer: 'One of the API addresses, with `/v1` behind it.' },
    { question: '可以开发票吗？', answer: '可以，请写信到 billing@example.com。' },
  ],
  GroupRatio: { default: 1, vip: 0.9, svip: 0.8 },
  UserUsableGroups: { default: '默认分组', vip: 'VIP 分组', svip: 'SVIP 分组' },
  TopupGroupRatio: { default: 1, vip: 0.95, svip: 0.9 },
  ServerAddress: 'https://gateway.example.com',
  TopUpLink: 'https://shop.example.com/codes',
  PayAddress: 'https://pay.example.com',
  EpayId: '1024',
  EpayKey: 'stage-epay-key',
  StripeApiSecret: 'sk_test_stage-key',
  StripeWebhookSecret: 'whsec_stage-secret',
  StripeCurrency: 'usd',
  StripeUnitPrice: 1.1,
  CheckinEnabled: true,
  ModelFiguresEnabled: true,
  RankingsEnabled: true,
  DiscordClientId: '1023456789012345678',
  DiscordClientSecret: 'stage-discord-secret',
  DiscordOAuthEnabled: true,
  UserAgreement: '## Terms\n\nBe kind to the gateway.',
  PrivacyPolicy: 'We keep what we bill by.',
  AutomaticDisableChannelEnabled: true,
  RetryTimes: 2,
  LogContentScope: 'all',
  LogS3Endpoint: 'https://s3.eu-central-1.amazonaws.com',
  LogS3Bucket: 'gateway-logs',
  LogS3AccessKeyId: 'AKIASTAGE',
  LogS3SecretKey: 'stage-s3-secret',
  ModelRatio: { 'house-llama-70b': 0.35, 'mistral-large-latest': 1.1 },
  CompletionRatio: { 'house-llama-70b': 1.5 },
  ModelPrice: { mj_imagine: 0.1, mj_upscale: 0.05, suno_music: 0.1, 'dall-e-3': 0.04 },
}

export interface Town {
  /** Logged in as an ordinary user. */
  readonly user: Client
}

export async function fillStage(stage: Stage): Promise<Town> {
  const random = seeded(20_240_229)
  const now = Math.floor(Date.now() / 1000)
  const root = await stage.root()
  for (const [key, value] of Object.entries(options)) await save(root, key, value)
  const database = new Database(join(stage.program.dataDir, 'tollgate.db'))
  try {
    database.exec('pragma busy_timeout = 60000')
    const people = await settlePeople(database, random, now, PASSWORD)
    const channels = await openChannels(root, database, random, now)
    const tokens = await issueTokens(root, database, random, now)
    makeUsage(database, random, now, { people, channels, tokens })
    printCodes(database, random, now, people)
    placeOrders(database, random, now, people)
    draw(database, random, now, { people, channels })
    compose(database, random, now, { people, channels })
    const user = new Client(stage.url)
    await user.login('linyue', PASSWORD)
    await issueTokens(user, database, random, now, 6)
    await offerPlans(root, user)
    await addMcpServers(root)
    await save(root, 'UptimeKumaGroups', watchServices())
    await keepPrompts(root)
    callPrompts(database, now)
    await formTeams(root, user)
    return { user }
  } finally {
    database.close()
  }
}

async function save(root: Client, key: string, value: unknown): Promise<void> {
  const { json } = await root.saveOption(
    key,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  )
  if (!json?.success) throw new Error(`the option ${key} was refused: ${JSON.stringify(json)}`)
}
