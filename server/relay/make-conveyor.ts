import { createArrayWriter } from '../dialects/gemini/index.ts'
import { ArrayConveyor } from './array-conveyor.ts'
import type { ChatCall } from './chat-call.ts'
import type { ComposedChat } from './compose-chat.ts'
import { ConvertConveyor } from './convert-conveyor.ts'
import type { Conveyor } from './conveyor.ts'
import type { TokenCounter } from './counting/token-counter.ts'
import { PassConveyor } from './pass-conveyor.ts'
import { ReframeConveyor } from './reframe-conveyor.ts'

/** Passes what it can; converts what it must. */
export function makeConveyor(
  counter: TokenCounter,
  call: ChatCall,
  { dialect, framing, passes }: ComposedChat,
): Conveyor {
  const asArray = call.route.asArray === true
  if (passes) {
    const own = call.dialect
    const passing = new PassConveyor(own, call.outline.wantsUsage, counter.countFrames(own.name))
    const conveyor = asArray ? new ArrayConveyor(passing) : passing
    return framing ? new ReframeConveyor(framing, conveyor) : conveyor
  }
  const asked = call.asked()
  const writer = asArray ? createArrayWriter(asked) : call.dialect.createWriter(asked)
  return new ConvertConveyor(dialect.createReader(), writer, counter.countStream(), framing)
}
