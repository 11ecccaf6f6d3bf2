import * as z from 'zod/mini'
import { fields, names, number, text, wrappedFields } from './channel-fields.ts'
import { channelView } from './channel-view.ts'
import { endpoint } from './endpoint.ts'
import { channelSorts } from './list-sorts.ts'

export const channelStatuses = { enabled: 1, disabledByHand: 2, disabledByItself: 3 } as const

/** The most channels that one call names. */
const MOST_CHANNEL_IDS = 10_000

const integerText = z.string().check(z.regex(/^\d{1,9}$/))
const page = {
  p: z.optional(integerText),
  page_size: z.optional(integerText),
  id_sort: z.optional(z.string()),
  /** By what was used rather than by priority; pages of tags stay in the order of their names. */
  sort: z.optional(z.enum(channelSorts)),
  tag_mode: z.optional(z.string()),
  /** `auto` are those that were disabled by themselves; they are among the `disabled` too. */
  status: z.optional(z.enum(['all', 'enabled', 'disabled', 'auto'])),
  type: z.optional(integerText),
  /** `paged`: an object that also tells how many there are, and `p` counts from 1. */
  form: z.optional(z.enum(['paged'])),
}
const channelList = z.union([
  z.array(channelView),
  z.object({ items: z.array(channelView), total: z.int(), page: z.int(), page_size: z.int() }),
])

const ids = z.array(z.int()).check(z.maxLength(MOST_CHANNEL_IDS))
const tagName = z.object({ tag: z._default(z.string(), '') })
const modelName = z.string().check(z.maxLength(255))
const outcome = z.object({ success: z.boolean(), message: z.string() })

const channelSearch = z.object({
  ...page,
  keyword: z._default(z.string().check(z.trim(), z.maxLength(20_000)), ''),
  model: z._default(modelName.check(z.trim()), ''),
  group: z._default(z.string().check(z.trim(), z.maxLength(64)), ''),
})

const LARGE_BODY = 4 * 1024 * 1024

/** Addresses that are words stand before `:id`, which would take them for an id. */
export const channelEndpoints = {
  listChannels: endpoint({
    method: 'GET',
    path: '/api/channel',
    access: 'admin',
    summary: {
      zh: '渠道列表；tag_mode=true 时按标签分页，sort=-used_quota 时按已用额度从多到少。resting 为正在冷却的模型（无 model 则为整个渠道）及原因、到期时间；resting_keys 为仅部分密钥在冷却的模型',
      en: 'List channels; with tag_mode=true pages are made of tags, with sort=-used_quota the most used come first. resting holds the models that are left alone for a while (all of them where none is named), why, and until when; resting_keys those for which only some keys are',
    },
    query: z.object(page),
    output: channelList,
  }),
  searchChannels: endpoint({
    method: 'GET',
    path: '/api/channel/search',
    access: 'admin',
    summary: {
      zh: '按 ID、名称或完整密钥，以及模型、分组搜索渠道',
      en: 'Search channels by id, name or whole key, and by model and group',
    },
    query: channelSearch,
    output: channelList,
  }),
  findChannels: endpoint({
    method: 'POST',
    path: '/api/channel/search',
    access: 'admin',
    summary: {
      zh: '同上，条件写在请求体中：密钥不会出现在地址里',
      en: 'The same, asked for in the body: no key stands in an address',
    },
    body: channelSearch,
    output: channelList,
  }),
  channelModels: endpoint({
    method: 'GET',
    path: '/api/channel/models',
    access: 'admin',
    summary: { zh: '所有内置模型', en: 'All built-in models' },
    output: z.array(
      z.object({
        id: z.string(),
        object: z.literal('model'),
        created: z.int(),
        owned_by: z.string(),
        permission: z.array(z.unknown()),
        root: z.string(),
        parent: z.null(),
      }),
    ),
  }),
  fetchChannelModels: endpoint({
    method: 'GET',
    path: '/api/channel/fetch_models/:id',
    access: 'admin',
    summary: { zh: '向渠道的上游获取模型列表', en: 'Ask a channel’s upstream for its models' },
    output: z.array(z.string()),
  }),
  fetchModels: endpoint({
    method: 'POST',
    path: '/api/channel/fetch_models',
    access: 'admin',
    bodyLimit: 64 * 1024,
    summary: {
      zh: '以给定地址、密钥及 setting 中的代理获取模型列表；id 为表单所属的渠道，地址与代理中未显示的密码由此补全；explain 为 true 时，失败会说明原因',
      en: 'Ask an address with a key, by the proxy in setting, for its models; id is the channel whose form it is, for passwords that its addresses are shown without; with explain set, a failure says why',
    },
    body: z.object({
      id: number,
      base_url: text,
      setting: text,
      key: text,
      type: number,
      other: text,
      explain: z.optional(z.boolean()),
    }),
    output: z.array(z.string()),
  }),
  testAllChannels: endpoint({
    method: 'GET',
    path: '/api/channel/test',
    access: 'admin',
    changes: true,
    summary: {
      zh: '在后台测试所有渠道（手动禁用的除外）',
      en: 'Test all channels in the background, except those disabled by hand',
    },
  }),
  testChannel: endpoint({
    method: 'GET',
    path: '/api/channel/test/:id',
    access: 'admin',
    changes: true,
    shape: 'bare',
    summary: { zh: '测试一个渠道，time 为秒', en: 'Test one channel; time is in seconds' },
    query: z.object({ model: z.optional(modelName.check(z.trim())) }),
    output: z.object({ ...outcome.shape, time: z.number() }),
  }),
  updateAllBalances: endpoint({
    method: 'GET',
    path: '/api/channel/update_balance',
    access: 'admin',
    changes: true,
    summary: {
      zh: '在后台更新所有已启用渠道的余额',
      en: 'Update the balances of all enabled channels in the background',
    },
  }),
  updateBalance: endpoint({
    method: 'GET',
    path: '/api/channel/update_balance/:id',
    access: 'admin',
    changes: true,
    shape: 'bare',
    summary: { zh: '更新一个渠道的余额（美元）', en: 'Update one channel’s balance, in dollars' },
    output: z.object({ ...outcome.shape, balance: z.number() }),
  }),
  listWork: endpoint({
    method: 'GET',
    path: '/api/channel/work',
    access: 'admin',
    summary: {
      zh: '后台任务及其进度',
      en: 'Work in the background and how far it has come',
    },
    output: z.array(
      z.object({
        name: z.string(),
        total: z.int(),
        done: z.int(),
        failed: z.int(),
        started: z.int(),
        ended: z.int(),
        running: z.boolean(),
        cancelled: z.boolean(),
      }),
    ),
  }),
  cancelWork: endpoint({
    method: 'POST',
    path: '/api/channel/work/cancel',
    access: 'admin',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '取消后台任务；由超级管理员开始的（清除日志、结账）只有超级管理员可取消',
      en: 'Stop work in the background; what is the super administrator’s, as clearing the log or closing months, they alone stop',
    },
    body: z.object({ name: z.string().check(z.maxLength(64)) }),
  }),
  createChannels: endpoint({
    method: 'POST',
    path: '/api/channel',
    access: 'admin',
    bodyLimit: LARGE_BODY,
    summary: {
      zh: '创建渠道，每行密钥创建一个；mode=multi_to_single 时所有密钥归一个渠道',
      en: 'Create channels, one for each line of the key; mode=multi_to_single keeps all keys in one channel',
    },
    body: z.object({
      ...fields,
      mode: z.optional(z.enum(['single', 'batch', 'multi_to_single'])),
      /** Newer clients wrap the fields. */
      channel: z.optional(wrappedFields),
    }),
    output: z.object({ ids: z.array(z.int()) }),
  }),
  copyChannel: endpoint({
    method: 'POST',
    path: '/api/channel/copy/:id',
    access: 'admin',
    summary: { zh: '复制渠道，包括密钥', en: 'Copy a channel, its key included' },
    query: z.object({ suffix: z._default(z.string().check(z.maxLength(50)), '_复制') }),
    output: z.object({ id: z.int() }),
  }),
  updateChannel: endpoint({
    method: 'PUT',
    path: '/api/channel',
    access: 'admin',
    bodyLimit: LARGE_BODY,
    summary: {
      zh: '修改渠道；未提供的字段不变，留空的密钥、名称、模型等也不变',
      en: 'Change a channel; what is not given stays, and so do a key, name, models and such left blank',
    },
    body: z.object({ ...fields, id: z.int(), status: z.optional(z.int()) }),
    output: channelView,
  }),
  deleteDisabledChannels: endpoint({
    method: 'DELETE',
    path: '/api/channel/disabled',
    access: 'admin',
    summary: { zh: '删除所有已禁用的渠道，返回个数', en: 'Delete all disabled channels; answers how many' },
    output: z.int(),
  }),
  deleteChannel: endpoint({
    method: 'DELETE',
    path: '/api/channel/:id',
    access: 'admin',
    summary: { zh: '删除渠道', en: 'Delete a channel' },
  }),
  deleteChannels: endpoint({
    method: 'POST',
    path: '/api/channel/batch',
    access: 'admin',
    bodyLimit: 256 * 1024,
    summary: { zh: '批量删除渠道，返回个数', en: 'Delete several channels; answers how many' },
    body: z.object({ ids: z._default(ids, []) }),
    output: z.int(),
  }),
  switchChannels: endpoint({
    method: 'POST',
    path: '/api/channel/batch/status',
    access: 'admin',
    bodyLimit: 256 * 1024,
    summary: {
      zh: '批量启用或禁用渠道，返回个数',
      en: 'Enable or disable several channels; answers how many',
    },
    body: z.object({ ids: z._default(ids, []), enable: z.boolean() }),
    output: z.int(),
  }),
  tagChannels: endpoint({
    method: 'POST',
    path: '/api/channel/batch/tag',
    access: 'admin',
    bodyLimit: 256 * 1024,
    summary: {
      zh: '批量设置标签，返回个数；tag 为 null 时去除标签',
      en: 'Tag several channels; answers how many. Without a tag theirs is taken off',
    },
    body: z.object({ ids: z._default(ids, []), tag: text }),
    output: z.int(),
  }),
  editTag: endpoint({
    method: 'PUT',
    path: '/api/channel/tag',
    access: 'admin',
    bodyLimit: LARGE_BODY,
    summary: {
      zh: '修改标签下的所有渠道；留空表示不变，new_tag 为空字符串时解散标签',
      en: 'Change all channels of a tag; blank means no change, and a blank new_tag disbands the tag',
    },
    body: z.object({
      ...tagName.shape,
      new_tag: text,
      models: names,
      groups: names,
      model_mapping: text,
      priority: number,
      weight: number,
    }),
  }),
  enableTag: endpoint({
    method: 'POST',
    path: '/api/channel/tag/enabled',
    access: 'admin',
    bodyLimit: 4 * 1024,
    summary: { zh: '启用标签下的所有渠道', en: 'Enable all channels of a tag' },
    body: tagName,
  }),
  disableTag: endpoint({
    method: 'POST',
    path: '/api/channel/tag/disabled',
    access: 'admin',
    bodyLimit: 4 * 1024,
    summary: { zh: '禁用标签下的所有渠道', en: 'Disable all channels of a tag' },
    body: tagName,
  }),
  fixAbilities: endpoint({
    method: 'POST',
    path: '/api/channel/fix',
    access: 'admin',
    summary: {
      zh: '修复数据库一致性，返回修复的渠道数',
      en: 'Mend what is stored of who serves which model; answers how many channels were mended',
    },
    output: z.int(),
  }),
  endChannelRest: endpoint({
    method: 'POST',
    path: '/api/channel/:id/wake',
    access: 'admin',
    summary: {
      zh: '结束渠道的冷却，立即重新使用',
      en: 'End a channel’s rest: all of its models are asked again at once',
    },
  }),
  revealChannelKey: endpoint({
    method: 'POST',
    path: '/api/channel/:id/key',
    access: 'root',
    rate: 'critical',
    bodyLimit: 4 * 1024,
    summary: {
      zh: '查看渠道密钥，需要再次输入密码',
      en: 'Show a channel’s key; asks for the password again',
    },
    body: z.object({ password: z._default(z.string().check(z.maxLength(200)), '') }),
    output: z.object({ key: z.string() }),
  }),
  getChannel: endpoint({
    method: 'GET',
    path: '/api/channel/:id',
    access: 'admin',
    summary: { zh: '单个渠道', en: 'One channel' },
    output: channelView,
  }),
  modelsByType: endpoint({
    method: 'GET',
    path: '/api/models',
    access: 'user',
    summary: { zh: '各渠道类型的预置模型', en: 'Preset models of each type of channel' },
    output: z.record(z.string(), z.array(z.string())),
  }),
  listGroups: endpoint({
    method: 'GET',
    path: '/api/group',
    access: 'admin',
    summary: { zh: '所有分组名称', en: 'The names of all groups' },
    output: z.array(z.string()),
  }),
}
