import type { StreamWriter } from '../../dialects/dialect.ts'
import { writeAsArray } from '../../dialects/gemini/index.ts'
import { OWN_SEARCH } from '../../dialects/openai-chat/own-searches.ts'
import { ThoughtSayer } from '../../dialects/say-thoughts.ts'
import { SeveralWriter } from '../../dialects/several-answers.ts'
import type { DialectName } from '../../dialects/spec.ts'
import type { ChatCall } from '../chat/chat-call.ts'
import type { ComposedChat } from '../chat/compose-chat.ts'
import type { TokenCounter } from '../counting/token-counter.ts'
import type { CallGuard } from '../guards/call-guard.ts'
import { GuardConveyor } from '../guards/guard-conveyor.ts'
import { GuardedStream } from '../guards/guarded-stream.ts'
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
  guard?: CallGuard,
): Conveyor {
  const asArray = call.route.asArray === true
  if (passes) {
    const own = call.dialect
    const { wantsUsage, choices, hosted } = call.outline
    const mayOwnSearch = hosted?.some(tool => tool.name === OWN_SEARCH)
    const frames = counter.countFrames(own.name, choices)
    const passing = new PassConveyor(own, wantsUsage, frames, { mayOwnSearch, several: choices > 1 })
    const guarded = guard ? guardStream(guard, own.name, passing) : passing
    const conveyor = asArray ? new ArrayConveyor(guarded) : guarded
    return framing ? new ReframeConveyor(framing, conveyor) : conveyor
  }
  const rules = guard?.streamRules
  const writer = makeWriter(call, saysThoughts, asArray && !rules)
  const converting = new ConvertConveyor(dialect.createReader(), writer, counter.countStream(), framing)
  if (!guard || !rules) return converting
  const guarded = guardStream(guard, call.dialect.name, converting)
  return asArray ? new ArrayConveyor(guarded) : guarded
}

/** The same, through the rules for answers if there are any. */
export function guardStream(guard: CallGuard, dialect: DialectName, conveyor: Conveyor): Conveyor {
  const rules = guard.streamRules
  return rules ? new GuardConveyor(conveyor, new GuardedStream(dialect, rules, guard.tally)) : conveyor
}

function makeWriter(call: ChatCall, saysThoughts: boolean, asArray: boolean): StreamWriter {
  const { dialect } = call
  const asked = call.asked()
  const create = (): StreamWriter => {
    const writer = dialect.createWriter(asked)
    return saysThoughts ? new ThoughtSayer(writer) : writer
  }
  const several = dialect.severalIn && (asked.request.choices ?? 1) > 1 ? dialect.severalIn : undefined
  const writer = several ? new SeveralWriter(create, several) : create()
  return asArray ? writeAsArray(writer) : writer
}
