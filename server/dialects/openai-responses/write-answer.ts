import type { Asked } from '../dialect.ts'
import { unwrapText } from '../freeform-tools.ts'
import { type JsonObject, parseObject } from '../json.ts'
import type { AnswerPart, NeutralAnswer, ThinkingPart, ToolCallPart } from '../spec.ts'
import {
  buildAnnotation,
  buildCall,
  buildCustomCall,
  buildImage,
  buildMessage,
  buildReasoning,
  buildRefusal,
  buildText,
  buildToolSearch,
} from './build-item.ts'
import { describeFinish, echoRequest, writeUsage } from './describe-response.ts'
import { ItemIds } from './item-ids.ts'
import { callPrefix, type FunctionTool, type SpecialTools, specialTools } from './namespaces.ts'
import { seal } from './seal-signature.ts'

export function writeAnswer(answer: NeutralAnswer, asked: Asked): JsonObject {
  const ids = new ItemIds(answer.id)
  const refused = answer.parts.some(part => part.type === 'text' && part.refusal)
  const outcome = describeFinish(answer.finish, refused)
  const output = writeOutput(answer.parts, ids, specialTools(asked.request))
  if (outcome.status !== 'completed') markCut(output.at(-1), answer.parts.at(-1))
  return {
    id: ids.response,
    object: 'response',
    created_at: answer.created || Math.floor(Date.now() / 1000),
    ...outcome,
    ...echoRequest(asked),
    output,
    usage: writeUsage(answer.usage),
  }
}

/** Of an answer that was cut off, the last item was; a call only if its input is not all there. */
function markCut(item: JsonObject | undefined, part: AnswerPart | undefined): void {
  if (item?.type === 'message') item.status = 'incomplete'
  if (item?.type !== 'function_call' || part?.type !== 'tool-call' || parseObject(part.input)) return
  item.status = 'incomplete'
  item.arguments = part.input
}

/** Texts and citations next to each other share a message; everything else is an item of its own. */
function writeOutput(parts: readonly AnswerPart[], ids: ItemIds, special: SpecialTools): JsonObject[] {
  const output: JsonObject[] = []
  let content: JsonObject[] | undefined
  for (const part of parts) {
    if (part.type === 'text') {
      if (!content) {
        content = []
        output.push(buildMessage(ids.nameItem('msg', output.length), 'completed', content))
      }
      content.push(part.refusal ? buildRefusal(part.text) : buildText(part.text, [], part.logprobs))
    } else if (part.type === 'citation') {
      const text = content?.at(-1)
      if (Array.isArray(text?.annotations) && typeof text.text === 'string')
        text.annotations.push(buildAnnotation(part, text.text.length))
    } else {
      content = undefined
      for (const item of writeOwnItems(part, output.length, ids, special)) output.push(item)
    }
  }
  return output
}

function writeOwnItems(
  part: Exclude<AnswerPart, { type: 'text' | 'citation' }>,
  at: number,
  ids: ItemIds,
  special: SpecialTools,
): JsonObject[] {
  if (part.type === 'thinking') return [buildReasoning(ids.nameItem('rs', at), part.text, sealThought(part))]
  if (part.type === 'tool-call') return writeCall(part, at, ids, special.get(part.name))
  const image = buildImage(ids.nameItem('ig', at), part)
  return image ? [image] : []
}

/** Only one vendor seals whole thoughts away, and such a part does not name it. */
function sealThought(part: ThinkingPart): string | undefined {
  if (part.redacted !== undefined)
    return seal({ kind: 'redacted', by: part.signature?.by ?? 'anthropic', data: part.redacted })
  return part.signature && seal({ kind: 'thinking', signature: part.signature })
}

function writeCall(
  part: ToolCallPart,
  at: number,
  ids: ItemIds,
  tool: FunctionTool | undefined,
): JsonObject[] {
  const items: JsonObject[] = []
  if (part.signature) {
    const sealed = seal({ kind: 'call', signature: part.signature })
    items.push(buildReasoning(ids.nameItem('rs', at), '', sealed))
  }
  const index = at + items.length
  const id = ids.nameItem(callPrefix(tool), index)
  const { name, namespace } = tool?.grouped ?? { name: part.name }
  const names = { callId: ids.nameCall(part.id, index), name, namespace }
  if (tool?.findsTools) items.push(buildToolSearch(id, 'completed', names, part.input))
  else if (tool?.freeform) items.push(buildCustomCall(id, 'completed', names, unwrapText(part.input)))
  else items.push(buildCall(id, 'completed', names, part.input || '{}'))
  return items
}
