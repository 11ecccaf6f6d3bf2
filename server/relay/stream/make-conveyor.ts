import type { StreamWriter } from '../../dialects/dialect.ts'
import { writeAsArray } from '../../dialects/gemini/index.ts'
import { ThoughtSayer } from '../../dialects/say-thoughts.ts'
import { SeveralWriter } from '../../dialects/several-answers.ts'
import type { ChatCall } from '../chat/chat-call.ts'
import type { ComposedChat } from '../chat/compose-chat.ts'
import type { TokenCounter } from '../counting/token-counter.ts'
import { ArrayConveyor } from './array-conveyor.ts'
import { ConvertConveyor } from './convert-conveyor.ts'
import type { Conveyor } from './conveyor.ts'
import { PassConveyor } from './pass-conveyor.ts'
import { ReframeConveyor } from './reframe-conveyor.ts'

/** Passes what it can; converts what it must. */
export function makeConveyor(
  counter: TokenCounter,
  call: ChatCall,
  { dialect, framing, passes, saysThoughts = false }: ComposedChat,
): Conveyor {
  const asArray = call.route.asArray === true
  if (passes) {
    const own = call.dialect
    const { wantsUsage, choices } = call.outline
    const passing = new PassConveyor(own, wantsUsage, counter.countFrames(own.name, choices))
    const conveyor = asArray ? new ArrayConveyor(passing) : passing
    return framing ? new ReframeConveyor(framing, conveyor) : conveyor
  }
  return new ConvertConveyor(
    dialect.createReader(),
    makeWriter(call, saysThoughts),
    counter.countStream(),
    framing,
  )
}

function makeWriter(call: ChatCall, saysThoughts: boolean): StreamWriter {
  const { dialect, route } = call
  const asked = call.asked()
  const create = (): StreamWriter => {
    const writer = dialect.createWriter(asked)
    return saysThoughts ? new ThoughtSayer(writer) : writer
  }
  const several = dialect.severalIn && (asked.request.choices ?? 1) > 1 ? dialect.severalIn : undefined
  const writer = several ? new SeveralWriter(create, several) : create()
  return route.asArray ? writeAsArray(writer) : writer
}
