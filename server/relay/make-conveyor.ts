import { createArrayWriter } from '../dialects/gemini/index.ts'
import { ArrayConveyor } from './array-conveyor.ts'
import type { ChatCall } from './chat-call.ts'
import type { ComposedChat } from './compose-chat.ts'
import { ConvertConveyor } from './convert-conveyor.ts'
import type { Conveyor } from './conveyor.ts'
import type { TokenCounter } from './counting/token-counter.ts'
import { PassConveyor } from './pass-conveyor.ts'

/** Passes what it can; converts what it must. */
export function makeConveyor(
  counter: TokenCounter,
  call: ChatCall,
  { dialect, passes }: ComposedChat,
): Conveyor {
  const asArray = call.route.asArray === true
  if (passes) {
    const passing = new PassConveyor(dialect, call.outline.wantsUsage, counter.countFrames(dialect.name))
    return asArray ? new ArrayConveyor(passing) : passing
  }
  const asked = call.asked()
  const writer = asArray ? createArrayWriter(asked) : call.dialect.createWriter(asked)
  return new ConvertConveyor(dialect.createReader(), writer, counter.countStream())
}
