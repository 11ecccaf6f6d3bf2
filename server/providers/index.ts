import { aiproxyLibrary } from './aiproxy-library/provider.ts'
import { ali } from './ali/provider.ts'
import { anthropic } from './anthropic/provider.ts'
import { aws } from './aws/provider.ts'
import { azure } from './azure/provider.ts'
import { baidu } from './baidu/provider.ts'
import { baiduV2 } from './baidu-v2/provider.ts'
import { chatglm } from './chatglm/provider.ts'
import { cloudflare } from './cloudflare/provider.ts'
import { codex } from './codex/provider.ts'
import { cohere } from './cohere/provider.ts'
import { coze } from './coze/provider.ts'
import { custom } from './custom/provider.ts'
import { deepseek } from './deepseek/provider.ts'
import type { Provider } from './define.ts'
import { dify } from './dify/provider.ts'
import { exa } from './exa/provider.ts'
import { fastgpt } from './fastgpt/provider.ts'
import { gemini } from './gemini/provider.ts'
import { githubModels } from './github-models/provider.ts'
import { groq } from './groq/provider.ts'
import { jina } from './jina/provider.ts'
import { lingyi } from './lingyi/provider.ts'
import { minimax } from './minimax/provider.ts'
import { mistral } from './mistral/provider.ts'
import { moka } from './moka/provider.ts'
import { moonshot } from './moonshot/provider.ts'
import { newApi } from './new-api/provider.ts'
import { ollama } from './ollama/provider.ts'
import { openai } from './openai/provider.ts'
import { openrouter } from './openrouter/provider.ts'
import { palm } from './palm/provider.ts'
import { perplexity } from './perplexity/provider.ts'
import { replicate } from './replicate/provider.ts'
import { serper } from './serper/provider.ts'
import { siliconcloud } from './siliconcloud/provider.ts'
import { spark } from './spark/provider.ts'
import { sub2api } from './sub2api/provider.ts'
import { submodel } from './submodel/provider.ts'
import { tavily } from './tavily/provider.ts'
import { tencent } from './tencent/provider.ts'
import { threeSixty } from './three-sixty/provider.ts'
import { together } from './together/provider.ts'
import { vertex } from './vertex/provider.ts'
import { volcengine } from './volcengine/provider.ts'
import { xai } from './xai/provider.ts'
import { xinference } from './xinference/provider.ts'
import { zhipu } from './zhipu/provider.ts'

export const providers: readonly Provider[] = [
  openai,
  azure,
  ollama,
  custom,
  palm,
  anthropic,
  baidu,
  chatglm,
  ali,
  spark,
  threeSixty,
  aiproxyLibrary,
  fastgpt,
  tencent,
  gemini,
  moonshot,
  zhipu,
  lingyi,
  aws,
  cohere,
  minimax,
  dify,
  jina,
  cloudflare,
  siliconcloud,
  vertex,
  mistral,
  deepseek,
  moka,
  baiduV2,
  coze,
  submodel,
  replicate,
  codex,
  sub2api,
  newApi,
  openrouter,
  perplexity,
  volcengine,
  xinference,
  xai,
  groq,
  together,
  githubModels,
  tavily,
  exa,
  serper,
]

const byType = new Map(providers.map(provider => [provider.type, provider]))

export function providerOf(type: number): Provider | undefined {
  return byType.get(type)
}
