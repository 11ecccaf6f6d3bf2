import * as z from 'zod/mini'
import { chatSettings } from './chats.ts'
import {
  choice,
  decimal,
  flag,
  integer,
  json,
  longText,
  name,
  quota,
  SettingError,
  secretUrl,
  url,
} from './define.ts'
import { guardSettings } from './guards.ts'
import { keptSettings } from './kept.ts'
import { keptAnswerSettings } from './kept-answers.ts'
import { logSinkSettings } from './log-sinks.ts'
import { fallbackSettings } from './model-fallbacks.ts'
import { priceSettings } from './prices.ts'

/** What randomness can choose from, and more than anyone gives away: two million dollars. */
const MOST_GIVEN = 1_000_000_000_000

const granularity = [
  { value: 'hour', label: { zh: '小时', en: 'Hour' } },
  { value: 'day', label: { zh: '天', en: 'Day' } },
  { value: 'week', label: { zh: '周', en: 'Week' } },
] as const

const channelChoices = [
  { value: 'weight', label: { zh: '按权重随机', en: 'By weight, at random' } },
  { value: 'least_busy', label: { zh: '进行中请求最少', en: 'Fewest requests in progress' } },
  { value: 'fastest', label: { zh: '首字最快', en: 'Fastest first token' } },
  { value: 'cheapest', label: { zh: '成本最低', en: 'Lowest cost to you' } },
] as const

const newsFormats = [
  { value: 'auto', label: { zh: '按地址判断', en: 'By the address' } },
  { value: 'json', label: { zh: '通用 JSON', en: 'Plain JSON' } },
  { value: 'slack', label: { zh: 'Slack / Mattermost / Discord', en: 'Slack / Mattermost / Discord' } },
  { value: 'feishu', label: { zh: '飞书', en: 'Feishu / Lark' } },
  { value: 'dingtalk', label: { zh: '钉钉 / 企业微信', en: 'DingTalk / WeCom' } },
] as const

function negativeGroup(ratios: Record<string, number>): SettingError | undefined {
  const group = Object.keys(ratios).find(key => (ratios[key] ?? 0) < 0)
  if (group === undefined) return undefined
  const detail = `group ratio must be not less than 0: ${group}`
  return new SettingError('option.group-ratio', { zh: detail, en: detail }, { name: group })
}

function negativeInGroups(maps: Record<string, Record<string, number>>): SettingError | undefined {
  for (const ratios of Object.values(maps)) {
    const refused = negativeGroup(ratios)
    if (refused) return refused
  }
  return undefined
}

/** Requests and tokens in a minute, and requests at once; what is not named has no limit. */
const limit = z._default(z.int().check(z.gte(0), z.lte(1_000_000_000)), 0)
const groupLimits = z.strictObject({ rpm: limit, tpm: limit, concurrency: limit })

const anyRatioMap = z.record(name, z.number().check(z.gte(-1_000_000_000), z.lte(1_000_000_000)))

/** `auto` stands for the list, so it cannot stand in it. */
const groupNames = z.array(name.check(z.refine(group => group !== 'auto'))).check(
  z.maxLength(100),
  z.refine(groups => new Set(groups).size === groups.length),
)

export const operationSettings = {
  TopUpLink: url('operation.general', {
    public: true,
    label: { zh: '充值链接', en: 'Top-up link' },
    help: { zh: '例如发卡网站的购买链接', en: 'For example a shop that sells redemption codes' },
  }),
  ChatLink: url('operation.general', {
    public: true,
    label: { zh: '默认聊天页面链接', en: 'Default chat page' },
    help: { zh: '填写后将替代下方的聊天配置列表', en: 'If set, replaces the chat presets below' },
  }),
  ChatLink2: url('operation.general', {
    public: true,
    label: { zh: '聊天页面 2 链接', en: 'Second chat page' },
  }),
  QuotaPerUnit: integer('operation.general', 500_000, {
    public: true,
    min: 1,
    max: 1_000_000_000,
    label: { zh: '单位美元额度', en: 'Quota per dollar' },
    help: { zh: '一单位货币能兑换的额度', en: 'How many quota units one US dollar buys' },
  }),
  RetryTimes: integer('operation.routing', 0, {
    max: 20,
    label: { zh: '失败重试次数', en: 'Retries on failure' },
  }),
  ChannelChoice: choice('operation.routing', 'weight', channelChoices, {
    label: { zh: '同优先级渠道的选择', en: 'Choosing among channels of equal priority' },
  }),
  ...fallbackSettings,
  ...keptAnswerSettings,
  DisplayInCurrencyEnabled: flag('operation.general', true, {
    public: true,
    label: { zh: '以货币形式显示额度', en: 'Show quota as currency' },
  }),
  DisplayTokenStatEnabled: flag('operation.general', true, {
    label: {
      zh: '额度查询接口返回令牌额度而非用户额度',
      en: 'Quota queries return the token’s quota, not the user’s',
    },
  }),
  DefaultCollapseSidebar: flag('operation.general', false, {
    public: true,
    label: { zh: '默认折叠侧边栏', en: 'Collapse the sidebar by default' },
  }),

  DrawingEnabled: flag('operation.drawing', true, {
    public: true,
    label: { zh: '启用绘图功能', en: 'Enable drawing' },
    help: { zh: '关闭后拒绝提交新的绘图', en: 'When off, new drawings are refused' },
  }),
  TaskEnabled: flag('operation.drawing', true, {
    public: true,
    label: { zh: '启用异步任务功能', en: 'Enable async tasks' },
    help: {
      zh: '关闭后拒绝新的音乐、视频与批处理',
      en: 'When off, new music, videos and batches are refused',
    },
  }),
  MjNotifyEnabled: flag('operation.drawing', false, {
    public: true,
    label: { zh: '允许回调（会泄露服务器 IP 地址）', en: 'Allow callbacks (reveals the server address)' },
  }),
  MjAccountFilterEnabled: flag('operation.drawing', false, {
    label: { zh: '允许 AccountFilter 参数', en: 'Allow the accountFilter parameter' },
  }),
  MjForwardUrlEnabled: flag('operation.drawing', true, {
    label: {
      zh: '将上游地址替换为服务器地址',
      en: 'Replace upstream image addresses with this server’s',
    },
  }),
  MjModeClearEnabled: flag('operation.drawing', false, {
    label: {
      zh: '清除用户提示词中的 --fast、--relax 以及 --turbo 参数',
      en: 'Strip --fast, --relax and --turbo from prompts',
    },
  }),
  MjActionCheckSuccessEnabled: flag('operation.drawing', true, {
    label: {
      zh: '绘图成功后才能进行放大等操作',
      en: 'Allow upscaling and similar only once a drawing is done',
    },
  }),

  CheckSensitiveEnabled: flag('operation.sensitive', true, {
    label: { zh: '启用屏蔽词过滤功能', en: 'Filter sensitive words' },
  }),
  CheckSensitiveOnPromptEnabled: flag('operation.sensitive', true, {
    label: { zh: '启用 Prompt 检查', en: 'Check prompts' },
  }),
  StopOnSensitiveEnabled: flag('other.legacy', true, {
    label: { zh: '命中屏蔽词时立即停止', en: 'Stop at the first match' },
  }),
  StreamCacheQueueLength: integer('other.legacy', 0, {
    max: 100_000,
    label: { zh: '流模式缓存队列长度', en: 'Stream buffer length' },
    help: { zh: '默认不缓存，设置越大检测越准确', en: '0 buffers nothing; longer checks better' },
  }),
  SensitiveWords: longText('operation.sensitive', 'test_sensitive', {
    kind: 'lines',
    label: { zh: '屏蔽词列表', en: 'Sensitive words' },
    help: { zh: '一行一个屏蔽词', en: 'One per line' },
  }),
  ...guardSettings,

  ...keptSettings,
  ...logSinkSettings,

  DataExportEnabled: flag('operation.dashboard', true, {
    public: true,
    label: { zh: '启用数据看板', en: 'Enable the dashboard' },
  }),
  ModelFiguresEnabled: flag('operation.dashboard', false, {
    label: { zh: '在价格页显示模型近况', en: 'Show model performance on the price page' },
    help: {
      zh: '最近 24 小时的成功率、首字时间与总耗时，任何人都能看到；不足 50 次调用或 3 个用户的模型不显示',
      en: 'Success rate, time to first token and whole time over the last 24 hours. Anyone can see it; models with fewer than 50 calls or 3 users are left out',
    },
  }),
  RankingsEnabled: flag('operation.dashboard', false, {
    public: true,
    label: { zh: '公开模型排行榜', en: 'Publish model rankings' },
    help: {
      zh: '使用最多的模型与厂商，按份额排列，任何人都能看到；不涉及用户与金额，不足 50 次调用或 3 个用户的模型不显示',
      en: 'The models and vendors used most, by their share. Anyone can see it; no users, no amounts, and models with fewer than 50 calls or 3 users are left out',
    },
  }),
  DataExportInterval: integer('other.legacy', 5, {
    min: 1,
    max: 10_080,
    label: { zh: '数据看板更新间隔（分钟）', en: 'Dashboard interval (minutes)' },
  }),
  DataExportDefaultTime: choice('operation.dashboard', 'hour', granularity, {
    public: true,
    label: { zh: '数据看板默认时间粒度', en: 'Default granularity' },
  }),

  ChannelDisableThreshold: decimal('operation.monitoring', 5, {
    max: 3600,
    label: { zh: '最长响应时间（秒）', en: 'Maximum response time (seconds)' },
    help: {
      zh: '测试所有渠道时，超过此时间的渠道会被自动禁用；0 为不限制',
      en: 'Channels slower than this when all are tested are disabled; 0 means no limit',
    },
  }),
  QuotaRemindThreshold: quota('operation.monitoring', 1000, {
    label: { zh: '额度提醒阈值', en: 'Low-quota reminder below' },
    help: {
      zh: '低于此额度时提醒用户；默认发送邮件，用户可在个人资料中另选方式与阈值',
      en: 'Users below it are notified, by email unless they choose another way or amount',
    },
  }),
  AutomaticDisableChannelEnabled: flag('operation.monitoring', false, {
    label: { zh: '失败时自动禁用渠道', en: 'Disable channels that fail' },
  }),
  AutomaticEnableChannelEnabled: flag('operation.monitoring', false, {
    label: { zh: '成功时自动启用渠道', en: 'Enable channels that recover' },
  }),
  ChannelTestMinutes: integer('operation.monitoring', 0, {
    max: 10_080,
    label: { zh: '自动测试渠道间隔（分钟）', en: 'Test all channels every (minutes)' },
    help: { zh: '0 为不自动测试', en: '0 means never' },
  }),
  UpstreamFirstByteSeconds: integer('operation.routing', 120, {
    min: 1,
    max: 3600,
    label: { zh: '流式首字超时（秒）', en: 'First token timeout (seconds)' },
    help: { zh: '超过后改用其他渠道', en: 'Another channel is tried after that' },
  }),
  UpstreamIdleSeconds: integer('operation.routing', 120, {
    min: 1,
    max: 3600,
    label: { zh: '流式静默超时（秒）', en: 'Idle stream timeout (seconds)' },
  }),
  UpstreamAnswerSeconds: integer('operation.routing', 600, {
    min: 1,
    max: 3600,
    label: { zh: '非流式响应超时（秒）', en: 'Non-streaming timeout (seconds)' },
  }),
  OpsWebhookUrl: secretUrl('operation.monitoring', {
    label: { zh: '运维消息 Webhook 地址', en: 'Webhook for operator alerts' },
    help: {
      zh: '渠道被自动禁用或恢复、测试有失败、对账不符、日志无法投递时发送；邮件照常发送',
      en: 'Sent when channels are disabled or recover automatically, tests fail, the books do not balance or the log cannot be delivered; emails are still sent',
    },
  }),
  OpsWebhookFormat: choice('operation.monitoring', 'auto', newsFormats, {
    label: { zh: '运维消息格式', en: 'Format of operator alerts' },
  }),

  QuotaForNewUser: quota('operation.quota', 0, {
    max: MOST_GIVEN,
    label: { zh: '新用户初始额度', en: 'Initial quota for new users' },
  }),
  PreConsumedQuota: quota('operation.quota', 500, {
    label: { zh: '请求预扣费额度', en: 'Quota reserved per request' },
    help: { zh: '请求结束后多退少补', en: 'Settled to the actual cost when the request ends' },
  }),
  QuotaForInviter: quota('operation.quota', 0, {
    max: MOST_GIVEN,
    label: { zh: '邀请新用户奖励额度', en: 'Reward for inviting a user' },
  }),
  QuotaForInvitee: quota('operation.quota', 0, {
    max: MOST_GIVEN,
    label: { zh: '新用户使用邀请码奖励额度', en: 'Reward for being invited' },
  }),
  CheckinEnabled: flag('operation.quota', false, {
    public: true,
    label: { zh: '启用每日签到', en: 'Daily check-in' },
    help: {
      zh: '每天一次，获得以下两者之间的随机额度',
      en: 'Once a day, for a random amount between the two below',
    },
  }),
  CheckinMinQuota: quota('operation.quota', 1000, {
    max: MOST_GIVEN,
    label: { zh: '签到最低额度', en: 'Smallest check-in reward' },
  }),
  CheckinMaxQuota: quota('operation.quota', 10_000, {
    max: MOST_GIVEN,
    label: { zh: '签到最高额度', en: 'Largest check-in reward' },
  }),

  ...chatSettings,

  GroupRatio: json<Record<string, number>>(
    'operation.groups',
    { default: 1, vip: 1, svip: 1 },
    {
      schema: anyRatioMap,
      refuse: negativeGroup,
      label: { zh: '分组倍率', en: 'Group ratios' },
      help: { zh: '键为分组名称，值为倍率', en: 'Group name to ratio' },
    },
  ),
  UserUsableGroups: json<Record<string, string>>(
    'operation.groups',
    { default: '默认分组', vip: 'vip分组' },
    {
      schema: z.record(name, z.string().check(z.maxLength(500))),
      label: { zh: '用户可选分组', en: 'Groups users may choose' },
      help: { zh: '键为分组名称，值为分组描述', en: 'Group name to description' },
    },
  ),
  GroupGroupRatio: json<Record<string, Record<string, number>>>(
    'operation.groups',
    {},
    {
      schema: z.record(name, anyRatioMap),
      refuse: negativeInGroups,
      label: { zh: '分组特殊倍率', en: 'Ratios by the user’s group' },
      help: {
        zh: '形如 {"vip": {"default": 0.8}}：vip 用户使用 default 分组时，倍率为 0.8',
        en: 'Such as {"vip": {"default": 0.8}}: vip users pay ratio 0.8 in group default',
      },
    },
  ),
  AutoGroups: json<string[]>('operation.groups', [], {
    schema: groupNames,
    label: { zh: '自动分组', en: 'Auto group order' },
    help: {
      zh: '形如 ["default", "vip"]：令牌分组为 auto 时，由用户可用的第一个能提供服务的分组处理并计费',
      en: 'Such as ["default", "vip"]: calls with group auto are served and billed by the first of these that the user may use and that can serve them',
    },
  }),
  DefaultUseAutoGroup: flag('operation.groups', false, {
    public: true,
    label: { zh: '新令牌默认使用 auto 分组', en: 'New tokens use group auto' },
  }),
  GroupLimits: json<Record<string, z.output<typeof groupLimits>>>(
    'operation.groups',
    {},
    {
      schema: z.record(name, groupLimits),
      label: { zh: '分组限流', en: 'Group limits' },
      help: {
        zh: '形如 {"vip": {"rpm": 600, "tpm": 100000, "concurrency": 20}}：整个分组每分钟的请求数、Token 数与并发数，0 或不写为不限制',
        en: 'Such as {"vip": {"rpm": 600, "tpm": 100000, "concurrency": 20}}: requests and tokens per minute and concurrent requests of the whole group; 0 or omitted means no limit',
      },
    },
  ),

  ...priceSettings,
}
