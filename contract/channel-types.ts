import type { Text } from './language.ts'
import { ANY_HTTP } from './pass-through.ts'

/** A kind of upstream. The ids are what every tool of this family knows it by. */
export interface ChannelType {
  readonly id: number
  readonly name: Text
  /** What its key looks like. */
  readonly key: Text
  /** The forms that a key may have, where a glance can tell a wrong one. */
  readonly keyForms?: readonly KeyForm[]
  /** The vendor has switched this off: what the operator should know. Servers that still speak it are served. */
  readonly retired?: Text
  /** The field `other`, where the type uses it: what it means, and what it is when left blank. */
  readonly other?: Text
  readonly otherDefault?: string
  /** Whether the whole text is one key however many lines it has. */
  readonly wholeKey?: true
  /** Drawing, music and video: no models in the ordinary sense, and nothing that a short message could test. */
  readonly tasks?: readonly string[]
  /** Whatever API stands there: its models are names that the operator gives, which nobody could list. */
  readonly passes?: true
}

export interface KeyForm {
  /** As it is written in hints: `Ak|Sk|Region`. */
  readonly form: string
  fits(key: string): boolean
}

const oneKey: Text = { zh: '请输入渠道对应的鉴权密钥', en: 'The key of this channel' }

const drawingModels = [
  'mj_imagine',
  'mj_variation',
  'mj_reroll',
  'mj_blend',
  'mj_upscale',
  'mj_describe',
  'mj_upload',
] as const
const moreDrawingModels = [
  ...drawingModels,
  'swap_face',
  'mj_modal',
  'mj_zoom',
  'mj_shorten',
  'mj_high_variation',
  'mj_low_variation',
  'mj_pan',
  'mj_inpaint',
  'mj_custom_zoom',
] as const

export const channelTypes: readonly ChannelType[] = [
  type(1, 'OpenAI'),
  type(2, 'Midjourney Proxy', { tasks: drawingModels }),
  type(3, 'Azure OpenAI', {
    other: { zh: '默认 API 版本', en: 'Default API version' },
    otherDefault: '2023-06-01-preview',
  }),
  type(4, 'Ollama'),
  type(5, 'Midjourney Proxy Plus', { tasks: moreDrawingModels }),
  type(8, { zh: '自定义渠道', en: 'Custom' }),
  type(11, 'Google PaLM2', {
    retired: {
      zh: 'Google 已停用 PaLM2 接口，请改用 Google Gemini',
      en: 'Google has switched the PaLM2 API off; use Google Gemini instead',
    },
  }),
  type(14, 'Anthropic Claude'),
  type(
    15,
    { zh: '百度文心千帆', en: 'Baidu' },
    {
      key: format('APIKey|SecretKey', undefined, 'bce-v3/…'),
      keyForms: [joined('APIKey|SecretKey'), { form: 'bce-v3/…', fits: key => key.startsWith('bce-v3/') }],
      retired: {
        zh: '百度已于 2026 年 8 月 31 日停用 APIKey|SecretKey 方式的旧接口，请改用以 bce-v3/ 开头的密钥',
        en: 'Baidu switched off the old API with APIKey|SecretKey on 31 August 2026; use a key that begins with bce-v3/',
      },
    },
  ),
  type(
    16,
    { zh: '智谱 ChatGLM', en: 'Zhipu ChatGLM' },
    {
      keyForms: [{ form: 'id.secret', fits: key => /^[^.\s]+\.[^.\s]+$/.test(key) }],
      retired: {
        zh: '智谱已下线 v3 接口的所有模型，请改用智谱 GLM-4V',
        en: 'Zhipu has withdrawn every model of its v3 API; use Zhipu GLM-4V instead',
      },
    },
  ),
  type(17, { zh: '阿里通义千问', en: 'Alibaba Qwen' }, { other: { zh: '插件参数', en: 'Plugin' } }),
  type(
    18,
    { zh: '讯飞星火认知', en: 'Xunfei Spark' },
    {
      key: format('APPID|APISecret|APIKey', undefined, 'APIPassword'),
      keyForms: [joined('APPID|APISecret|APIKey'), single('APIPassword')],
      other: { zh: '模型版本', en: 'Model version' },
      otherDefault: 'v2.1',
    },
  ),
  type(19, { zh: '360 智脑', en: '360' }),
  type(20, 'OpenRouter'),
  type(
    21,
    { zh: '知识库：AI Proxy', en: 'AI Proxy library' },
    {
      other: { zh: '知识库 ID', en: 'Library id' },
      retired: { zh: 'AI Proxy 已停止知识库服务', en: 'AI Proxy has ended its library service' },
    },
  ),
  type(
    22,
    { zh: '知识库：FastGPT', en: 'FastGPT' },
    {
      key: format('APIKey-AppId', 'fastgpt-0sp2gtvfdgyi4k30jwlgwf1i-64f335d84283f05518e9e041'),
    },
  ),
  type(
    23,
    { zh: '腾讯混元', en: 'Tencent Hunyuan' },
    {
      key: format('AppId|SecretId|SecretKey', undefined, 'API Key'),
      keyForms: [joined('AppId|SecretId|SecretKey'), single('API Key')],
      retired: {
        zh: '腾讯已于 2026 年 9 月 30 日停用混元旧平台，请改用 TokenHub 的 API Key',
        en: 'Tencent switched off the old Hunyuan platform on 30 September 2026; use an API key of TokenHub',
      },
    },
  ),
  type(24, 'Google Gemini'),
  type(25, { zh: 'Moonshot（月之暗面）', en: 'Moonshot' }),
  type(26, { zh: '智谱 GLM-4V', en: 'Zhipu GLM-4V' }),
  type(27, 'Perplexity'),
  type(31, { zh: '零一万物', en: 'Lingyi' }),
  type(33, 'AWS Claude', {
    key: format('Ak|Sk|Region', undefined, 'ApiKey|Region'),
    keyForms: [joined('Ak|Sk|Region'), joined('Ak|Sk|Region|SessionToken'), joined('ApiKey|Region')],
  }),
  type(34, 'Cohere'),
  type(35, 'MiniMax'),
  type(36, 'Suno API', { tasks: ['suno_music', 'suno_lyrics'] }),
  type(37, 'Dify', {
    other: {
      zh: '应用类型：chat（默认）、completion 或 workflow；后两者可加输入变量名，例如 workflow:question',
      en: 'Kind of app: chat (default), completion or workflow; the latter with the name of their variable, such as workflow:question',
    },
  }),
  type(38, 'Jina'),
  type(39, 'Cloudflare', { other: { zh: '账户 ID', en: 'Account id' } }),
  type(40, 'SiliconCloud'),
  type(41, 'Vertex AI', {
    key: {
      zh: '请输入服务账号密钥的 JSON，或 API Key',
      en: 'The JSON of a service account key, or an API key',
    },
    other: {
      zh: '部署地区，例如 us-central1，或 {"default": "us-central1", "模型": "地区"}',
      en: 'Region, such as us-central1, or {"default": "us-central1", "model": "region"}',
    },
    wholeKey: true,
    keyForms: [
      {
        form: '{"client_email": …, "private_key": …, "project_id": …}',
        fits: key => holdsText(key, 'private_key'),
      },
      single('API Key'),
    ],
  }),
  type(42, 'Mistral AI'),
  type(43, 'DeepSeek'),
  type(44, 'Moka AI'),
  type(45, { zh: '火山方舟（豆包）', en: 'VolcEngine' }),
  type(
    46,
    { zh: '百度千帆 V2', en: 'Baidu Qianfan V2' },
    {
      key: format('APIKey', undefined, 'APIKey|AppId'),
      keyForms: [single('APIKey'), joined('APIKey|AppId')],
    },
  ),
  type(47, 'Xinference / vLLM'),
  type(48, 'xAI'),
  type(
    49,
    { zh: '扣子', en: 'Coze' },
    { other: { zh: 'Bot ID，留空时以模型名为 Bot ID', en: 'Bot id, the name of the model when left blank' } },
  ),
  type(
    50,
    { zh: '可灵', en: 'Kling' },
    {
      key: format('AccessKey|SecretKey', undefined, 'API Key'),
      keyForms: [joined('AccessKey|SecretKey'), single('API Key')],
      tasks: [
        'kling-v2-6',
        'kling-v2-5-turbo',
        'kling-v2-1-master',
        'kling-v2-master',
        'kling-v1-6',
        'kling-v1',
      ],
    },
  ),
  type(
    51,
    { zh: '即梦', en: 'Jimeng' },
    {
      key: format('AccessKeyId|SecretAccessKey'),
      keyForms: [joined('AccessKeyId|SecretAccessKey')],
      tasks: ['jimeng_ti2v_v30_pro', 'jimeng_t2v_v30', 'jimeng_i2v_first_v30', 'jimeng_vgfm_t2v_l20'],
    },
  ),
  type(52, 'Vidu', {
    tasks: ['viduq3-pro', 'viduq3-turbo', 'viduq2', 'viduq2-pro', 'viduq2-turbo', 'viduq1', 'vidu2.0'],
  }),
  type(53, 'Submodel'),
  type(
    54,
    { zh: '豆包视频', en: 'Doubao Video' },
    {
      tasks: [
        'doubao-seedance-2-0-fast-260128',
        'doubao-seedance-1-5-pro-251215',
        'doubao-seedance-1-0-pro-250528',
        'doubao-seedance-1-0-pro-fast-251015',
      ],
    },
  ),
  type(55, 'Sora', { tasks: ['sora-2', 'sora-2-pro'] }),
  type(56, 'Replicate'),
  type(57, 'Codex', {
    key: {
      zh: '请输入 ChatGPT 订阅的 OAuth JSON，含 access_token、refresh_token 与 account_id；到期前会自动续期',
      en: 'The OAuth JSON of a ChatGPT subscription, with access_token, refresh_token and account_id; it is renewed before it ends',
    },
    wholeKey: true,
    keyForms: [
      {
        form: '{"access_token": …, "refresh_token": …, "account_id": …}',
        fits: key => holdsText(key, 'access_token'),
      },
    ],
  }),
  type(59, 'Sub2API'),
  type(60, 'New API'),
  // From here on the numbers are nobody else's.
  type(101, 'Groq'),
  type(102, 'Together AI'),
  type(103, 'GitHub Models', {
    key: {
      zh: '请输入带有 models 权限的 GitHub 个人访问令牌',
      en: 'A personal access token of GitHub that may use models',
    },
    retired: {
      zh: 'GitHub 已于 2026 年 7 月 30 日停用 GitHub Models',
      en: 'GitHub ended GitHub Models on 30 July 2026',
    },
  }),
  type(ANY_HTTP, { zh: '任意 HTTP 接口', en: 'Any HTTP API' }, { passes: true }),
  // They search the web, and do nothing else.
  type(1002, 'Tavily'),
  type(1003, 'Exa'),
  type(1004, 'Serper'),
]

const byId = new Map(channelTypes.map(one => [one.id, one]))

export function channelTypeOf(id: number): ChannelType | undefined {
  return byId.get(id)
}

function type(
  id: number,
  name: string | Text,
  more: Omit<Partial<ChannelType>, 'id' | 'name'> = {},
): ChannelType {
  return { key: oneKey, ...more, id, name: typeof name === 'string' ? { zh: name, en: name } : name }
}

function format(form: string, sample?: string, otherForm?: string): Text {
  const example = sample ? { zh: `，例如：${sample}`, en: `, for example ${sample}` } : { zh: '', en: '' }
  const or = otherForm ? { zh: `，或 ${otherForm}`, en: `, or ${otherForm}` } : { zh: '', en: '' }
  return {
    zh: `按照如下格式输入：${form}${example.zh}${or.zh}`,
    en: `In the form ${form}${example.en}${or.en}`,
  }
}

/** As many parts as the form has, and none of them blank. */
function joined(form: string): KeyForm {
  const parts = form.split('|').length
  return {
    form,
    fits(key) {
      const given = key.split('|')
      return given.length === parts && given.every(part => /^\S+$/.test(part.trim()))
    },
  }
}

function single(form: string): KeyForm {
  return { form, fits: key => /^[^|\s{]+$/.test(key) }
}

/** A JSON object with this in it, or in its `tokens`. What else it needs, its vendor says when it is used. */
function holdsText(key: string, name: string): boolean {
  try {
    const { tokens, ...flat } = JSON.parse(key) as Record<string, unknown>
    const text = { ...flat, ...(tokens as object | undefined) }[name]
    return typeof text === 'string' && text !== ''
  } catch {
    return false
  }
}
