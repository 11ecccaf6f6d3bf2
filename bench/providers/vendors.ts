import { providers } from '../../server/providers/index.ts'
import { LIBRARY, startAiproxyLibrary } from '../../test/upstreams/aiproxy-library/start.ts'
import { startAli, startAliNative } from '../../test/upstreams/ali/start.ts'
import { startAws } from '../../test/upstreams/aws/start.ts'
import { startBaidu } from '../../test/upstreams/baidu/start.ts'
import { startQianfan } from '../../test/upstreams/baidu/start-qianfan.ts'
import { startChatglm } from '../../test/upstreams/chatglm/start.ts'
import { ACCOUNT, startCloudflare } from '../../test/upstreams/cloudflare/start.ts'
import { startCodex } from '../../test/upstreams/codex/start.ts'
import { startCohere } from '../../test/upstreams/cohere/start.ts'
import { BOT, startCoze } from '../../test/upstreams/coze/start.ts'
import { startDify } from '../../test/upstreams/dify/start.ts'
import { startNewApi, startSub2api } from '../../test/upstreams/gateway/start.ts'
import { startGithubModels } from '../../test/upstreams/github-models/start.ts'
import { startGroq } from '../../test/upstreams/groq/start.ts'
import {
  type FakeUpstream,
  startAnthropic,
  startAzure,
  startDeepseek,
  startGemini,
  startMistral,
  startOpenai,
} from '../../test/upstreams/index.ts'
import { startMinimax } from '../../test/upstreams/minimax/start.ts'
import { startOllama } from '../../test/upstreams/ollama/start.ts'
import { startOpenrouter } from '../../test/upstreams/openrouter/start.ts'
import { startPalm } from '../../test/upstreams/palm/start.ts'
import { startPerplexity } from '../../test/upstreams/perplexity/start.ts'
import { startSpark, startSparkOpen } from '../../test/upstreams/spark/start.ts'
import { startSubmodel } from '../../test/upstreams/submodel/start.ts'
import { startTencent } from '../../test/upstreams/tencent/start.ts'
import { startTokenhub } from '../../test/upstreams/tencent/start-tokenhub.ts'
import { startTogether } from '../../test/upstreams/together/start.ts'
import { startVertex } from '../../test/upstreams/vertex/start.ts'
import { startVolcengine } from '../../test/upstreams/volcengine/start.ts'
import { startXai } from '../../test/upstreams/xai/start.ts'
import { startXinference } from '../../test/upstreams/xinference/start.ts'

/** One stream that a type of channel can bring, and the strict fake that says it. */
export interface Vendor {
  readonly type: number
  readonly model: string
  readonly start: () => Promise<FakeUpstream>
  /** Which of its APIs, where it has several. */
  readonly api?: string
  /** The type-specific field of the channel. */
  readonly other?: string
  /** What stands behind the fake's address in the base URL. */
  readonly base?: string
}

const claude = 'claude-sonnet-4-6'
const gemini = 'gemini-3.5-flash'

/** Every type that can chat. The first passes as it is, and all else stands beside it. */
const vendors: readonly Vendor[] = [
  { type: 1, model: 'gpt-4o-mini', start: startOpenai },
  { type: 3, model: 'gpt-4o', start: startAzure, other: '2024-10-21' },
  { type: 4, model: 'qwen3:8b', start: startOllama },
  { type: 8, model: 'gpt-4o-mini', start: startOpenai, base: '/v1' },
  { type: 11, model: 'PaLM-2', start: startPalm },
  { type: 14, model: claude, start: startAnthropic },
  { type: 15, model: 'ernie-4.5-turbo-128k', start: startQianfan },
  { type: 15, model: 'ERNIE-4.0-8K', start: startBaidu, api: 'first API' },
  { type: 16, model: 'glm-4.7', start: startChatglm },
  { type: 16, model: 'chatglm_turbo', start: startChatglm, api: 'third API' },
  { type: 17, model: 'qwen-plus', start: startAli },
  { type: 17, model: 'qwen-plus', start: startAliNative, api: 'own API', base: '/api/v1' },
  { type: 18, model: 'generalv3.5', start: startSpark, api: 'WebSocket' },
  { type: 18, model: '4.0Ultra', start: startSparkOpen, api: 'HTTP' },
  { type: 19, model: '360gpt2-pro', start: startOpenai },
  { type: 20, model: 'openrouter/auto', start: startOpenrouter },
  { type: 21, model: 'gpt-of-the-library', start: startAiproxyLibrary, other: LIBRARY },
  { type: 22, model: 'an-app', start: () => startOpenai({ prefix: '/api/v1' }) },
  { type: 23, model: 'hy3-preview', start: startTokenhub },
  { type: 23, model: 'hunyuan-turbo', start: startTencent, api: 'old platform' },
  { type: 24, model: gemini, start: startGemini },
  { type: 25, model: 'kimi-k3', start: startOpenai },
  { type: 26, model: 'glm-4.7', start: () => startOpenai({ prefix: '/api/paas/v4' }) },
  { type: 27, model: 'sonar', start: startPerplexity, base: '/v1' },
  { type: 31, model: 'yi-lightning', start: startOpenai },
  { type: 33, model: claude, start: startAws },
  { type: 34, model: 'command-a-03-2025', start: startCohere },
  { type: 35, model: 'MiniMax-M3', start: startMinimax },
  { type: 37, model: 'my-agent', start: startDify },
  { type: 37, model: 'flow', start: startDify, api: 'workflow', other: 'workflow' },
  { type: 39, model: '@cf/meta/llama-3.3-70b-instruct-fp8-fast', start: startCloudflare, other: ACCOUNT },
  { type: 40, model: 'deepseek-ai/DeepSeek-V4.1-Flash', start: startOpenai },
  { type: 41, model: gemini, start: startVertex, api: 'Gemini', other: 'us-central1' },
  { type: 41, model: claude, start: startVertex, api: 'Claude', other: 'us-east5' },
  { type: 41, model: 'meta/llama-4-maverick', start: startVertex, api: 'open models', other: 'us-east4' },
  { type: 42, model: 'mistral-small-latest', start: startMistral },
  { type: 43, model: 'deepseek-flash', start: startDeepseek },
  { type: 45, model: 'doubao-seed-2-1-pro-260628', start: startVolcengine },
  { type: 46, model: 'ernie-4.5-turbo-128k', start: startQianfan },
  { type: 47, model: 'qwen3', start: startXinference },
  { type: 48, model: 'grok-4.7', start: startXai },
  { type: 49, model: 'my-bot', start: startCoze, other: BOT },
  { type: 53, model: 'Qwen/Qwen3-235B-A22B-Instruct-2507', start: startSubmodel },
  { type: 57, model: 'gpt-5.5', start: startCodex },
  { type: 59, model: claude, start: startSub2api },
  { type: 60, model: claude, start: startNewApi },
  { type: 101, model: 'llama-3.3-70b-versatile', start: startGroq },
  { type: 102, model: 'openai/gpt-oss-120b', start: startTogether },
  { type: 103, model: 'openai/gpt-4.1', start: startGithubModels },
]

/** Throws when a type was added that is not measured. */
export function listVendors(): readonly Vendor[] {
  const missing = providers.filter(({ chat, type }) => chat && !vendors.some(known => known.type === type))
  if (missing.length > 0) throw new Error(`Not measured: ${missing.map(({ name }) => name).join(', ')}`)
  return vendors
}
