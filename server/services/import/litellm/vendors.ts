/** What a vendor of LiteLLM's is here. */
export interface Vendor {
  readonly type: number
  /** The variable that LiteLLM takes the key from where the file names none. */
  readonly keyVariable?: string
  /** Where it is, when that is not what its type has anyway. */
  readonly baseUrl?: string
  /** A server of one's own: it has no usual address, and may want no key. */
  readonly isOwn?: true
}

export const types = { openai: 1, azure: 3, custom: 8, aws: 33, cloudflare: 39, vertex: 41 } as const

const ownOpenai: Vendor = { type: types.openai, isOwn: true }

/** By what stands before the first slash of a model. */
export const vendors: Readonly<Record<string, Vendor>> = {
  openai: { type: types.openai, keyVariable: 'OPENAI_API_KEY' },
  'text-completion-openai': { type: types.openai, keyVariable: 'OPENAI_API_KEY' },
  azure: { type: types.azure, keyVariable: 'AZURE_API_KEY' },
  azure_text: { type: types.azure, keyVariable: 'AZURE_API_KEY' },
  anthropic: { type: 14, keyVariable: 'ANTHROPIC_API_KEY' },
  gemini: { type: 24, keyVariable: 'GEMINI_API_KEY' },
  vertex_ai: { type: types.vertex },
  vertex_ai_beta: { type: types.vertex },
  bedrock: { type: types.aws },
  bedrock_converse: { type: types.aws },
  cohere: { type: 34, keyVariable: 'COHERE_API_KEY' },
  cohere_chat: { type: 34, keyVariable: 'COHERE_API_KEY' },
  mistral: { type: 42, keyVariable: 'MISTRAL_API_KEY' },
  deepseek: { type: 43, keyVariable: 'DEEPSEEK_API_KEY' },
  groq: { type: 101, keyVariable: 'GROQ_API_KEY' },
  together_ai: { type: 102, keyVariable: 'TOGETHERAI_API_KEY' },
  perplexity: { type: 27, keyVariable: 'PERPLEXITYAI_API_KEY' },
  tavily: { type: 1002, keyVariable: 'TAVILY_API_KEY' },
  exa_ai: { type: 1003, keyVariable: 'EXA_API_KEY' },
  serper: { type: 1004, keyVariable: 'SERPER_API_KEY' },
  openrouter: { type: 20, keyVariable: 'OPENROUTER_API_KEY' },
  xai: { type: 48, keyVariable: 'XAI_API_KEY' },
  moonshot: { type: 25, keyVariable: 'MOONSHOT_API_KEY' },
  dashscope: { type: 17, keyVariable: 'DASHSCOPE_API_KEY' },
  volcengine: { type: 45, keyVariable: 'VOLCENGINE_API_KEY' },
  zai: { type: 26, keyVariable: 'ZAI_API_KEY', baseUrl: 'https://api.z.ai/api/paas/v4' },
  minimax: { type: 35, keyVariable: 'MINIMAX_API_KEY' },
  jina_ai: { type: 38, keyVariable: 'JINA_AI_API_KEY' },
  cloudflare: { type: types.cloudflare, keyVariable: 'CLOUDFLARE_API_KEY' },
  ollama: { type: 4, isOwn: true, baseUrl: 'http://localhost:11434' },
  ollama_chat: { type: 4, isOwn: true, baseUrl: 'http://localhost:11434' },
  hosted_vllm: { type: 47, isOwn: true },
  vllm: { type: 47, isOwn: true },
  xinference: { type: 47, isOwn: true },
  lm_studio: ownOpenai,
  llamafile: ownOpenai,
  openai_like: ownOpenai,
  litellm_proxy: { ...ownOpenai, keyVariable: 'LITELLM_PROXY_API_KEY' },
  fireworks_ai: openaiAt('https://api.fireworks.ai/inference/v1', 'FIREWORKS_AI_API_KEY'),
  deepinfra: openaiAt('https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY'),
  cerebras: openaiAt('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'),
  sambanova: openaiAt('https://api.sambanova.ai/v1', 'SAMBANOVA_API_KEY'),
  nvidia_nim: openaiAt('https://integrate.api.nvidia.com/v1', 'NVIDIA_NIM_API_KEY'),
}

function openaiAt(baseUrl: string, keyVariable: string): Vendor {
  return { type: types.openai, baseUrl, keyVariable }
}

/** A model without a vendor before it belongs to whom its name tells. */
const byName: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-|chatgpt-|o\d|text-embedding-|dall-e-|whisper-|tts-|omni-moderation)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'vertex_ai'],
  [/^(command|rerank-|embed-)/, 'cohere'],
  [/^deepseek-/, 'deepseek'],
]

/** Whose it is, by LiteLLM's name for them, and what they call it; undefined when nobody can tell. */
export function splitModel(
  model: string,
  given: unknown,
): readonly [vendor: string, model: string] | undefined {
  const slash = model.indexOf('/')
  const before = slash < 0 ? '' : model.slice(0, slash)
  const rest = model.slice(slash + 1)
  if (typeof given === 'string' && given !== '') return [given, before === given ? rest : model]
  if (Object.hasOwn(vendors, before)) return [before, rest]
  const found = byName.find(([pattern]) => pattern.test(model))
  return found ? [found[1], model] : before === '' ? undefined : [before, rest]
}
