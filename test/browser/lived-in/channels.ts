import type { Database } from 'bun:sqlite'
import type { Client } from '../../client.ts'
import type { Random } from '../../faults/random.ts'
import { changeRow } from './fill-table.ts'
import { models } from './models.ts'
import { DAY } from './people.ts'

/** Name, type, tag, groups; models are those of its type, or the ones named. */
type Sketch = readonly [name: string, type: number, tag: string, groups: string, models?: string]

const MJ = 'mj_imagine,mj_variation,mj_reroll,mj_blend,mj_upscale,mj_describe'
const both = 'default,vip'
const all = 'default,vip,svip'

const sketches: readonly Sketch[] = [
  ['OpenAI 主线路', 1, 'openai', all],
  ['OpenAI 备用 1', 1, 'openai', both],
  ['OpenAI 备用 2', 1, 'openai', both],
  ['OpenAI EU', 1, 'openai', 'svip'],
  ['Azure 瑞典', 3, 'azure', both, 'gpt-4o,gpt-4o-mini,o3'],
  ['Azure East US 2', 3, 'azure', both, 'gpt-4o,gpt-4o-mini,text-embedding-3-small'],
  ['Azure Japan East', 3, 'azure', 'default', 'gpt-4o-mini'],
  ['Claude 直连', 14, 'claude', all],
  ['Claude 团队账号', 14, 'claude', all],
  ['Claude batch', 14, 'claude', 'svip'],
  ['Bedrock us-west-2', 33, 'claude', both, 'claude-sonnet-4-20250514,claude-3-5-haiku-20241022'],
  ['Bedrock eu-central-1', 33, 'claude', both, 'claude-sonnet-4-20250514'],
  ['Gemini AI Studio', 24, 'gemini', all],
  ['Gemini 付费', 24, 'gemini', all],
  ['Vertex us-central1', 41, 'gemini', 'svip', 'gemini-2.5-pro,gemini-2.5-flash'],
  ['DeepSeek 官方', 43, '', all],
  ['DeepSeek 备用', 43, '', both],
  ['通义千问', 17, '国内', both],
  ['通义千问 新加坡', 17, '国内', 'default'],
  ['智谱 GLM-4', 26, '国内', both, 'glm-4,glm-4v,glm-4-flash'],
  ['Moonshot', 25, '国内', both, 'moonshot-v1-8k,moonshot-v1-32k,moonshot-v1-128k'],
  ['文心一言', 15, '国内', 'default', 'ERNIE-4.0-8K,ERNIE-Speed-128K'],
  ['混元', 23, '国内', 'default', 'hunyuan-pro,hunyuan-lite'],
  ['星火 v3.5', 18, '国内', 'default', 'SparkDesk-v3.5'],
  ['零一万物', 31, '国内', 'default', 'yi-large,yi-medium'],
  ['MiniMax', 35, '国内', 'default', 'abab6.5-chat,abab6.5s-chat'],
  ['Mistral La Plateforme', 42, '', both],
  ['Cohere', 34, '', 'default', 'command-r,command-r-plus'],
  ['Jina embeddings', 38, '', both, 'jina-embeddings-v3,jina-reranker-v2-base-multilingual'],
  ['SiliconCloud', 40, '', both, 'Qwen/Qwen2.5-72B-Instruct,deepseek-ai/DeepSeek-V3'],
  ['Cloudflare Workers AI', 39, '', 'default', '@cf/meta/llama-3.1-8b-instruct'],
  ['Ollama 机房 A', 4, 'self-hosted', 'default', 'llama3.1:70b,qwen2.5:32b'],
  ['Ollama 机房 B', 4, 'self-hosted', 'default', 'llama3.1:8b,nomic-embed-text'],
  ['vLLM gateway', 8, 'self-hosted', both, 'llama-3.3-70b-instruct,qwen2.5-coder-32b'],
  ['FastGPT 客服知识库', 22, '', 'default', 'fastgpt'],
  ['Dify 工单助手', 37, '', 'default', 'dify-support'],
  ['Midjourney 快速', 5, 'drawing', both, `${MJ},mj_zoom,mj_pan,swap_face`],
  ['Midjourney 慢速', 2, 'drawing', 'default', MJ],
  ['Suno', 36, 'drawing', both, 'suno_music,suno_lyrics'],
  ['OpenAI 旧账号', 1, '', 'default'],
]

const OFF_BY_HAND = new Set([7, 19, 24, 33])
const FALLEN: Readonly<Record<number, string>> = {
  3: 'status code 401: Incorrect API key provided: sk-proj-****Xk2A',
  12: 'status code 403: You have reached the quota for this model in this region',
  22: 'status code 429: Open api daily request limit reached',
  40: 'insufficient_quota: You exceeded your current quota, please check your plan and billing details',
}
const UNTRIED = new Set([28, 35, 36])
const WITH_BALANCE = new Set([1, 2, 4, 16, 17, 21, 30, 40])

export interface LivingChannel {
  readonly id: number
  readonly type: number
  readonly groups: string
}

export async function openChannels(
  root: Client,
  database: Database,
  random: Random,
  now: number,
): Promise<LivingChannel[]> {
  const opened: LivingChannel[] = []
  for (const [name, type, tag, groups, named] of sketches) {
    const ofType = models.flatMap(model => (model.type === type ? model.name : []))
    const body = { name, type, tag, group: groups, models: named ?? ofType.join(','), ...typed(type) }
    const priority = tag === 'openai' ? 10 : random(0, 3)
    const { json } = await root.post('/api/channel/', {
      key: keys[type] ?? `sk-stage-${opened.length}`,
      ...body,
      priority,
      weight: random(0, 4) * 5,
    })
    if (!json?.success) throw new Error(`the channel ${name} was refused: ${JSON.stringify(json)}`)
    const id = json.data.ids[0]
    changeRow(database, 'channels', id, figures(id, random, now))
    opened.push({ id, type, groups })
  }
  return opened
}

const keys: Readonly<Record<number, string>> = {
  15: 'stage-key|stage-secret',
  18: 'stage-app|stage-secret|stage-key',
  22: 'fastgpt-0sp2gtvfdgyi4k30jwlgwf1i-64f335d84283f05518e9e041',
  23: '1250000000|stage-id|stage-key',
  33: 'AKIASTAGE|stage-secret|us-west-2',
  41: 'AIza-stage',
}

function typed(type: number): object {
  if (type === 3) return { base_url: 'https://stage.openai.azure.com', other: '2024-10-21' }
  if (type === 41) return { other: 'us-central1' }
  if (type === 39) return { other: '0f1e2d3c4b5a69788796a5b4c3d2e1f0' }
  if ([2, 4, 5, 8, 22, 36, 37].includes(type)) return { base_url: 'https://models.internal.example' }
  return {}
}

function figures(id: number, random: Random, now: number) {
  const reason = FALLEN[id]
  const fell = now - random(1, 70) * 3600
  const untried = UNTRIED.has(id)
  const status = reason ? 3 : OFF_BY_HAND.has(id) ? 2 : 1
  return {
    status,
    other_info: reason ? JSON.stringify({ status_reason: reason, status_time: fell }) : '',
    response_time: untried ? 0 : ([420, 760, 1480, 2300, 3900, 6800][random(0, 5)] ?? 0),
    test_time: untried ? 0 : now - random(60, 2 * DAY),
    balance: WITH_BALANCE.has(id) ? random(0, 480_000) * 1000 : 0,
    balance_updated_time: WITH_BALANCE.has(id) ? now - random(600, DAY) : 0,
    used_quota: untried ? 0 : random(1, 4000) * random(10_000, 90_000),
    created_time: now - random(20, 300) * DAY,
  }
}
