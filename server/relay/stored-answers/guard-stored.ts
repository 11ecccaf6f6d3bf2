import { asArray, type JsonObject, parseExactly } from '../../dialects/json.ts'
import { textsOfAnswer } from '../guards/answer-texts.ts'
import type { Asking } from '../guards/ask-rule.ts'
import { CallGuard } from '../guards/call-guard.ts'
import type { StoringDialect } from '../request/match-route.ts'
import { type TextPlace, textsOfRequest } from '../request/spoken-texts.ts'
import type { Channel } from '../routing/channel.ts'

/**
 * What the rules for answers leave of a stored one, of a list of what it was made from, or of one item. Nobody knows
 * any more by which name its model was asked for, or in which group: the rules for all that the channel serves are
 * obeyed.
 */
export async function guardStored(
  { admitted, ...asking }: Omit<Asking, 'model'>,
  { groups, models }: Channel,
  text: string,
  dialect: StoringDialect,
): Promise<string> {
  const known = { ...admitted, groups: [...(admitted.groups ?? [admitted.group]), ...groups] }
  const guards = new Map<string, CallGuard>()
  for (const model of models) {
    const guard = CallGuard.for({ ...asking, admitted: known, model })
    if (guard?.rules.output && !guards.has(guard.rules.mark)) guards.set(guard.rules.mark, guard)
  }
  const body = guards.size === 0 ? undefined : parseExactly(text)
  if (!body) return text
  let isMasked = false
  for (const guard of guards.values()) if (await guard.readAnswer(textsOf(dialect, body))) isMasked = true
  return isMasked ? JSON.stringify(body) : text
}

/** An interaction may come with what it was made from, too. */
function textsOf(dialect: StoringDialect, body: JsonObject): TextPlace[] {
  if (dialect === 'gemini-interactions')
    return [...textsOfAnswer(dialect, body), ...textsOfRequest({ input: body.input })]
  const item = typeof body.type === 'string' ? [body] : []
  const items = [...item, ...asArray(body.output), ...asArray(body.data)]
  return textsOfAnswer(dialect, { output: items })
}
