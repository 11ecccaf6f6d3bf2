/** By the beginning of a model's name, or of the part after its last slash. */
const beginnings: Readonly<Record<string, readonly string[]>> = {
  Alibaba: ['qwen', 'qwq', 'qvq', 'wan2', 'wanx', 'tongyi', 'gte-'],
  Amazon: ['nova-', 'amazon.', 'titan-'],
  Anthropic: ['claude', 'anthropic.'],
  BAAI: ['bge-'],
  Baichuan: ['baichuan'],
  Baidu: ['ernie', 'bloomz', 'embedding-v1', 'tao-8k'],
  'Black Forest Labs': ['flux'],
  ByteDance: ['doubao', 'seedream', 'seedance', 'seed-', 'skylark', 'jimeng'],
  Cohere: ['command', 'c4ai', 'rerank-', 'embed-'],
  DeepSeek: ['deepseek'],
  Exa: ['exa-'],
  Google: ['gemini', 'gemma', 'learnlm', 'palm', 'imagen', 'veo-', 'text-bison', 'chat-bison', 'aqa'],
  iFlytek: ['sparkdesk', 'spark-'],
  Jina: ['jina'],
  Kuaishou: ['kling'],
  Meta: ['llama', 'meta-llama', 'codellama', 'meta.'],
  Microsoft: ['phi-', 'wizardlm'],
  Midjourney: ['mj_', 'midjourney', 'swap_face'],
  MiniMax: ['minimax', 'abab', 'speech-0', 'hailuo'],
  Mistral: [
    'mistral',
    'mixtral',
    'ministral',
    'codestral',
    'pixtral',
    'magistral',
    'devstral',
    'voxtral',
    'open-mi',
  ],
  Moonshot: ['moonshot', 'kimi'],
  NVIDIA: ['nemotron', 'nvidia'],
  OpenAI: [
    ...['gpt', 'chatgpt', 'o1', 'o3', 'o4', 'codex', 'computer-use', 'dall-e', 'sora', 'tts-', 'whisper'],
    ...['text-embedding-3', 'text-embedding-ada', 'text-davinci', 'text-moderation', 'omni-moderation'],
    ...['davinci-002', 'babbage-002'],
  ],
  Perplexity: ['sonar', 'pplx', 'r1-1776', 'perplexity-'],
  Serper: ['serper-'],
  'Stability AI': ['stable-', 'sd3', 'sdxl'],
  StepFun: ['step-'],
  Suno: ['suno', 'chirp'],
  Tavily: ['tavily-'],
  Tencent: ['hunyuan'],
  Vidu: ['vidu'],
  'Voyage AI': ['voyage'],
  xAI: ['grok'],
  Yi: ['yi-'],
  Zhipu: ['glm', 'chatglm', 'cogview', 'cogvideo', 'charglm', 'codegeex', 'embedding-2', 'embedding-3'],
}
const byBeginning = Object.entries(beginnings).flatMap(([owner, all]) =>
  all.map(beginning => [beginning, owner] as const),
)

/** Who made a model, as far as its name tells; '' where it does not. Channels tell no more: they resell. */
export function ownerOf(model: string): string {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  return byBeginning.find(([beginning]) => name.startsWith(beginning))?.[1] ?? ''
}
