import { dialects } from '../../dialects/index.ts'
import { asArray, asObject, asText, parseObject } from '../../dialects/json.ts'
import type { NeutralRequest } from '../../dialects/spec.ts'
import { SseReader } from '../../dialects/sse.ts'
import { ChatCall } from '../chat/chat-call.ts'
import { FrameCount } from '../counting/frame-count.ts'
import { lastSeam } from '../counting/last-seam.ts'
import type { TokenCounter } from '../counting/token-counter.ts'
import { type Outline, readCount } from '../request/look-at-request.ts'
import { noMedia } from '../request/measure-media.ts'
import { PassConveyor } from '../stream/pass-conveyor.ts'
import { countChoices } from './check-fields.ts'
import { collectTexts } from './collect-texts.ts'
import { wantsUsage } from './compose-plain.ts'
import { isForm, type PlainCall } from './plain-call.ts'

/** What a completion may use, in the words of chat. */
export function outlineCompletion(call: PlainCall): Outline {
  return {
    model: call.model,
    stream: call.stream,
    background: false,
    maxOutput: readCount('max_tokens', call.fields.max_tokens),
    choices: countChoices(call.fields),
    wantsUsage: wantsUsage(call),
    textLength: isForm(call.body) ? 0 : Buffer.byteLength(call.body.text),
    media: noMedia,
    cacheWrites: 'minutes',
    stops: false,
    silent: false,
    thinks: false,
    speaks: false,
    hosted: undefined,
    finds: false,
    acts: false,
    geo: undefined,
    failover: call.failover,
    tags: call.tags,
  }
}

/** A streamed completion as the run of a stream wants to see it: its prompt as what a user said. */
export class CompletionCall extends ChatCall {
  constructor(call: PlainCall, outline: Outline) {
    const { text } = isForm(call.body) ? { text: '' } : call.body
    super({ kind: 'chat', dialect: 'openai-chat' }, { text, json: call.fields }, outline)
  }

  override neutral(): NeutralRequest {
    const parts = collectTexts(this.json.prompt).map(text => ({ type: 'text', text }) as const)
    const { model, stream } = this.outline
    return { model, stream, system: [], messages: [{ role: 'user', parts }], tools: [] }
  }
}

/** Frames of completions end as those of chat do; only their text stands elsewhere. */
export function conveyCompletion(counter: TokenCounter, call: PlainCall): PassConveyor {
  const several = countChoices(call.fields) > 1
  return new PassConveyor(dialects['openai-chat'], wantsUsage(call), countCompletion(counter), { several })
}

/** Nothing is decoded as long as the upstream says how much there was. */
export function countCompletion(counter: Pick<TokenCounter, 'countText'>): FrameCount {
  let text = ''
  const reader = new SseReader((_event, data) => {
    for (const choice of asArray(parseObject(data)?.choices)) text += asText(asObject(choice)?.text) ?? ''
  })
  return new FrameCount({
    count: (bytes, _first, last) => {
      reader.push(bytes)
      if (last) reader.end()
      const end = last ? text.length : lastSeam(text)
      const written = text.slice(0, end)
      text = text.slice(end)
      return counter.countText(written)
    },
    forget: () => {},
  })
}
