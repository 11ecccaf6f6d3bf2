import { provesSomething, SHORTEST_PROOF } from '../../outbound/proving-headers.ts'
import type { ChannelSetting } from './channel-setting.ts'

/** What the operator's own headers prove: an API may want a second key, and so may a gateway before it. */
export function secretsInHeaders({ header_override, operations }: ChannelSetting): readonly string[] {
  const written = (operations ?? []).flatMap(act =>
    act.mode === 'set_header' ? [[act.name, act.value] as const] : [],
  )
  return [...(header_override?.fixed ?? []), ...written].flatMap(([name, value]) =>
    provesSomething(name, value) ? proofOf(value) : [],
  )
}

/** With and without the word before it, such as Bearer: where it is repeated, it may be either. */
function proofOf(value: string): readonly string[] {
  return [value, value.slice(value.indexOf(' ') + 1)].filter(({ length }) => length >= SHORTEST_PROOF)
}
