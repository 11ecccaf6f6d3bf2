import { isCredentialHeader } from '../../outbound/request-headers.ts'
import type { ChannelSetting } from './channel-setting.ts'

/** Shorter ones are no secrets, and blanking them garbles texts. */
const SHORTEST = 8
/** What stands for the key, or for what the client has said, is known by itself. */
const filledIn = /\{(api_key|client_header:[\w-]+)\}/

/** What the operator's own headers prove: an API may want a second key, and so may a gateway before it. */
export function secretsInHeaders({ header_override, operations }: ChannelSetting): readonly string[] {
  const written = (operations ?? []).flatMap(act =>
    act.mode === 'set_header' ? [[act.name, act.value] as const] : [],
  )
  const proofs = [...(header_override?.fixed ?? []), ...written].filter(
    ([name, value]) => isCredentialHeader(name, []) && !filledIn.test(value),
  )
  return proofs.flatMap(([, value]) => proofOf(value)).filter(({ length }) => length >= SHORTEST)
}

/** With and without the word before it, such as Bearer: where it is repeated, it may be either. */
function proofOf(value: string): readonly string[] {
  return [value, value.slice(value.indexOf(' ') + 1)]
}
