import { anthropic } from './anthropic/provider.ts'
import { aws } from './aws/provider.ts'
import { azure } from './azure/provider.ts'
import { chatglm } from './chatglm/provider.ts'
import { custom } from './custom/provider.ts'
import { deepseek } from './deepseek/provider.ts'
import type { Provider } from './define.ts'
import { fastgpt } from './fastgpt/provider.ts'
import { gemini } from './gemini/provider.ts'
import { lingyi } from './lingyi/provider.ts'
import { mistral } from './mistral/provider.ts'
import { moonshot } from './moonshot/provider.ts'
import { ollama } from './ollama/provider.ts'
import { openai } from './openai/provider.ts'
import { siliconcloud } from './siliconcloud/provider.ts'
import { threeSixty } from './three-sixty/provider.ts'
import { vertex } from './vertex/provider.ts'
import { zhipu } from './zhipu/provider.ts'

export const providers: readonly Provider[] = [
  openai,
  azure,
  ollama,
  custom,
  anthropic,
  chatglm,
  threeSixty,
  fastgpt,
  gemini,
  moonshot,
  zhipu,
  lingyi,
  aws,
  siliconcloud,
  vertex,
  mistral,
  deepseek,
]

const byType = new Map(providers.map(provider => [provider.type, provider]))

export function providerOf(type: number): Provider | undefined {
  return byType.get(type)
}
