import { channelTypeOf } from './channel-types.ts'
import { ANY_HTTP } from './pass-through.ts'

/** Upstreams that nobody but the operator knows the place of. */
const unplaced: ReadonlySet<number> = new Set([2, 3, 5, 8, 22, 36, 47, 59, 60, ANY_HTTP])
export const needsAddress = (type: number): boolean => unplaced.has(type)

/** Where vendors have people log in, make keys and pay: what answers there is a page, whatever is asked. */
const pages: ReadonlySet<string> = new Set([
  'aistudio.google.com',
  'bailian.console.alibabacloud.com',
  'bailian.console.aliyun.com',
  'chat.deepseek.com',
  'chat.openai.com',
  'chatgpt.com',
  'claude.ai',
  'cloud.siliconflow.cn',
  'cloud.siliconflow.com',
  'console.anthropic.com',
  'console.bce.baidu.com',
  'console.cloud.google.com',
  'console.cloud.tencent.com',
  'console.groq.com',
  'console.mistral.ai',
  'console.volcengine.com',
  'console.x.ai',
  'console.xfyun.cn',
  'dash.cloudflare.com',
  'dashboard.cohere.com',
  'dashscope.console.aliyun.com',
  'gemini.google.com',
  'kimi.moonshot.cn',
  'platform.claude.com',
  'platform.deepseek.com',
  'platform.kimi.ai',
  'platform.kimi.com',
  'platform.lingyiwanwu.com',
  'platform.minimax.io',
  'platform.minimaxi.com',
  'platform.moonshot.ai',
  'platform.moonshot.cn',
  'platform.openai.com',
  'platform.stepfun.com',
  'portal.azure.com',
])

/** The host of a channel's address where that is a vendor's page and no API. */
export function pageIn(address: string): string | undefined {
  const host = URL.parse(address)?.hostname
  return host !== undefined && pages.has(host) ? host : undefined
}

/** Its address may be that of the call itself. */
const CUSTOM = 8
const calls = [
  /(\/openai\/deployments\/[^/?#]+)?\/(chat\/completions|completions|responses|messages|embeddings|images\/generations)\/*([?#].*)?$/i,
  /\/models\/[^/?#]+:\w+\/*([?#].*)?$/i,
  /[?&](api-version|key)=.*$/i,
  /#.*$/,
]

/**
 * What of a channel's address names one call, as the examples of vendors and the page of an Azure deployment have it.
 * The path of every call is put behind the address, so that with this at its end none would arrive. Behind another query
 * one may: there are proxies that are told so where to go.
 */
export function callIn(type: number, address: string): string | undefined {
  if (type === CUSTOM || channelTypeOf(type)?.passes) return undefined
  for (const call of calls) {
    const found = call.exec(address)?.[0]
    if (found) return found
  }
  return undefined
}
