import { mayNameFiles, refuseNamedTwice } from '../../../dialects/file-names.ts'
import { dialects } from '../../../dialects/index.ts'
import { asArray, asObject, asText, parseObject } from '../../../dialects/json.ts'
import { containersMet, namedItems } from '../../../dialects/openai-responses/stored-items.ts'
import { refuseField, refuseNamed } from '../../../dialects/refuse.ts'
import { noteAnswer, refuseOthersItems } from '../../../relay/chat/conversation.ts'
import { knownContainers } from '../../../relay/openai-kept/container-rows.ts'
import { guardItems } from '../../../relay/openai-kept/guard-items.ts'
import { type FoundFiles, filesOf } from '../../../relay/openai-kept/lead-to-files.ts'
import type { Order } from '../../../relay/order/order.ts'
import { hostedTools } from '../../../relay/request/hosted-tools.ts'
import { type JsonBody, readExactly } from '../../../relay/request/read-body.ts'
import { refuseAccountData } from '../../../relay/request/refuse-account-data.ts'
import type { Channel } from '../../../relay/routing/channel.ts'
import type { OwnedCall } from '../../define.ts'

/** What is put into a conversation, as the words of a request: that is what it will be. */
export function wordsOf({ json }: JsonBody): JsonBody {
  const { items } = json
  if (items !== undefined && items !== null && !Array.isArray(items)) refuseField('items', 'field.list')
  const request = { input: [...asArray(items)] }
  return { text: JSON.stringify(request), json: request }
}

/** The files that are put into a conversation with it. */
export function filesIn(
  { parts, admitted: { caller } }: OwnedCall,
  { json, text }: JsonBody,
): Promise<FoundFiles> {
  if (mayNameFiles(text)) refuseNamedTwice(json, text)
  return filesOf(parts, caller, json.items ?? [])
}

/** The body as it may go out: with nothing in it that is somebody else's, and masked where rules want that. */
export async function admitItems(
  { parts, admitted: { caller } }: OwnedCall,
  order: Order,
  body: JsonBody,
  models: Iterable<string>,
): Promise<JsonBody> {
  const words = wordsOf(readExactly(body))
  // Later calls would be offered them without saying so: nobody could tell what those cost, and in whose container.
  const [hosted] = hostedTools(words.json) ?? []
  if (hosted) refuseNamed(hosted.name)
  await refuseOthersItems(parts, caller, namedItems(words.json))
  await knownContainers(parts, caller, containersMet(words.json) ?? [])
  const read = await guardItems(order, words, models)
  if (read === words) return body
  const json = { ...readExactly(body).json, items: readExactly(read).json.input }
  return { text: JSON.stringify(json), json }
}

/** What only the operator may name is named in no conversation either. */
export function refuseAccountItems(body: JsonBody, { setting }: Channel): void {
  refuseAccountData(dialects['openai-responses'].accountData, wordsOf(body).json, setting)
}

/**
 * Later requests may name them instead of sending them, where they are. Not those whose names came from here: they are
 * whose they were, and nobody makes somebody else's their own by telling its name.
 */
export async function noteItems(
  { parts, admitted: { caller } }: OwnedCall,
  place: { readonly channel: Channel; readonly key: string },
  given: JsonBody,
  text: string,
): Promise<void> {
  const told = new Set(idsIn(given.json.items))
  const items = idsIn(parseObject(text)?.data).filter(id => !told.has(id))
  const { userId, tokenId } = caller
  await noteAnswer(parts, { userId, tokenId, ...place }, { response: undefined, items })
}

function idsIn(items: unknown): string[] {
  return asArray(items).flatMap(item => asText(asObject(item)?.id) || [])
}
