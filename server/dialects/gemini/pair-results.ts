import { asArray, asObject, asText, isObject, type JsonObject } from '../json.ts'

export interface Turn {
  readonly role: 'user' | 'model'
  readonly results: readonly JsonObject[]
  readonly parts: readonly JsonObject[]
}

const OPENING = '(continue)'
const NO_RESULT = '(no result)'

/**
 * Calls come after somebody else spoke, and each is answered in the very next turn, in their order. Conversations that
 * were cut to fit, or broken off, hold others: a call without a result gets one that says so, and a result without its
 * call is shown to the model as plain content.
 */
export function pairResults(turns: readonly Turn[]): readonly Turn[] {
  const paired: Turn[] = []
  let open: readonly JsonObject[] = []
  for (const turn of turns) {
    if (turn.role === 'user') paired.push(answerCalls(turn, open))
    else paired.push(...(paired.length === 0 && callsOf(turn).length > 0 ? [opening] : []), turn)
    open = callsOf(turn)
  }
  if (open.length > 0) paired.push(answerCalls({ role: 'user', results: [], parts: [] }, open))
  return paired
}

const opening: Turn = { role: 'user', results: [], parts: [{ text: OPENING }] }

function callsOf({ role, parts }: Turn): readonly JsonObject[] {
  return role === 'model' ? parts.map(part => part.functionCall).filter(isObject) : []
}

function answerCalls(turn: Turn, open: readonly JsonObject[]): Turn {
  if (open.length === 0 && turn.results.length === 0) return turn
  const byId = groupBy(turn.results, 'id')
  const found = open.map(call => byId.get(call.id)?.shift())
  // Not every client goes by the ids.
  const byName = groupBy(withoutThose(turn.results, found), 'name')
  const taken = open.map((call, at) => found[at] ?? byName.get(call.name)?.shift())
  const stray = withoutThose(turn.results, taken)
  return {
    role: 'user',
    results: open.map((call, at) => answer(call, taken[at])),
    parts: [...stray.flatMap(showResult), ...turn.parts],
  }
}

function withoutThose(
  results: readonly JsonObject[],
  taken: readonly (JsonObject | undefined)[],
): JsonObject[] {
  const gone = new Set(taken)
  return results.filter(result => !gone.has(result))
}

function answer({ id, name }: JsonObject, result: JsonObject | undefined): JsonObject {
  const told = asObject(result?.functionResponse) ?? { name, response: { error: NO_RESULT } }
  return { functionResponse: { ...told, id } }
}

function groupBy(results: readonly JsonObject[], key: 'id' | 'name'): Map<unknown, JsonObject[]> {
  const groups = new Map<unknown, JsonObject[]>()
  for (const result of results) {
    const value = asObject(result.functionResponse)?.[key]
    const group = groups.get(value)
    if (group) group.push(result)
    else groups.set(value, [result])
  }
  return groups
}

function showResult({ functionResponse }: JsonObject): readonly JsonObject[] {
  const { response, parts } = asObject(functionResponse) ?? {}
  const { output, error } = asObject(response) ?? {}
  const text = asText(output) ?? asText(error) ?? JSON.stringify(response ?? {})
  return [...(text === '' ? [] : [{ text }]), ...asArray(parts).filter(isObject)]
}
