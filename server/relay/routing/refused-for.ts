import { codesOf, type Refusal } from './key-signals.ts'

/** What a vendor refuses of a request that another model may take. */
export type RefusedFor = 'too-long' | 'filtered'

interface Signs {
  /** The code, type or reason is one of these. */
  readonly codes: ReadonlySet<string>
  /** By channel type: what is a number means something at its own vendor only. */
  readonly numbers: Readonly<Record<number, readonly string[]>>
  /** The message has one of these near its beginning: gateways in between put words of their own before it. */
  readonly words: RegExp
}

const NEAR = 400

const signs: Readonly<Record<RefusedFor, Signs>> = {
  'too-long': {
    codes: new Set([
      'context_length_exceeded',
      'exceed_context_size_error',
      'string_above_max_length',
      'tokens_limit_reached',
      'tokens_too_long',
    ]),
    numbers: {
      15: ['336103'],
      16: ['1261'],
      18: ['10907'],
      26: ['1261'],
      39: ['5021'],
      42: ['3051'],
    },
    words: anyOf(
      // OpenAI and those who repeat its words, vLLM, xAI, OpenRouter, Mistral, Cloudflare, Ollama
      'maximum (context|prompt|model) length',
      'exceeds? (the )?(available )?context (length|limit|size|window)',
      'context (length|size|window) (has been )?exceed',
      'exceeded this model context window',
      "than the (model's )?context length",
      // Anthropic, Bedrock, Dify
      '(prompt|query) (is )?too long',
      'input is too long',
      // Google
      'input token count .{0,40}(exceeds|but model only supports)',
      // Ali, Baidu, Cohere, MiniMax, Moonshot, Perplexity, SiliconFlow, Tencent, TGI, Volcengine, Zhipu
      'range of input length should be',
      'max length of current question',
      'too many tokens: total number',
      'exceeded model token limit',
      'length of all messages is too long',
      'must be less than max_seq_len',
      '输入内容过长',
      'tokens \\+ `max_new_tokens` must be',
      'exceed max message tokens',
      'prompt exceeds max length',
      'prompt 超长',
    ),
  },
  filtered: {
    codes: new Set([
      'bio_policy',
      'content_filter',
      'content_filter_error',
      'content_policy_violation',
      'data_inspection_failed',
      'DataInspectionFailed',
      'misalignment_policy_violation',
      'moderation_blocked',
      'sensitive_words_detected',
      'unsafe_request',
    ]),
    numbers: {
      15: ['336104'],
      16: ['1301'],
      18: ['10013', '10014', '10019', '10021'],
      23: ['OperationDenied.TextIllegalDetected', 'OperationDenied.ImageIllegalDetected'],
      26: ['1301'],
      35: ['1026', '1027'],
      39: ['3030'],
      42: ['3900'],
    },
    words: anyOf(
      // OpenAI, Azure, xAI, Dify
      'violat\\w+ (our |the )?(content|safety|usage) (guidelines|polic)',
      'content management policy',
      'our safety system',
      // Anthropic, Bedrock
      'blocked by content filtering policy',
      // Google
      'prompt was blocked',
      // Ali, Cohere, DeepSeek, Moonshot
      'may contain inappropriate content',
      'blocked (input|output):',
      'content exists risk',
      'considered high risk',
    ),
  },
}
/** Volcengine has one for each kind of content, input and output. */
const detected = /(RiskDetection|SensitiveContentDetected)\b/

/** Of a refusal that is the request's own doing: whether that is its length, or what it is about. */
export function refusedFor(channelType: number, refusal: Refusal): RefusedFor | undefined {
  const codes = codesOf(refusal)
  const message = refusal.message?.slice(0, NEAR) ?? ''
  if (shows(signs['too-long'], channelType, codes, message)) return 'too-long'
  if (shows(signs.filtered, channelType, codes, message)) return 'filtered'
  return codes.some(code => detected.test(code)) ? 'filtered' : undefined
}

function shows(
  { codes, numbers, words }: Signs,
  channelType: number,
  said: readonly string[],
  message: string,
): boolean {
  const own = numbers[channelType]
  return said.some(code => codes.has(code) || own?.includes(code)) || words.test(message)
}

function anyOf(...words: readonly string[]): RegExp {
  return new RegExp(words.join('|'), 'i')
}
