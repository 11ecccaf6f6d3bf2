import { asArray, asObject, type Json, type JsonObject } from '../dialects/json.ts'
import { type TextPlace, textsIn, textsOfData } from '../relay/request/spoken-texts.ts'
import { packName, unpackName } from './protocol.ts'

/** What a client says to a server: what is to be done, what a person has answered, and headers that repeat some of it. */
export function textsOfCall(params: JsonObject, headers: Record<string, string> = {}): TextPlace[] {
  return [
    ...textsOfData(params.arguments, params, 'arguments'),
    ...textsOfData(params.inputResponses, params, 'inputResponses'),
    // What is typed while a name or an argument is being looked for.
    ...textsOfData(asObject(params.argument)?.value, asObject(params.argument) ?? {}, 'value'),
    ...textsOfData(asObject(params.context)?.arguments, asObject(params.context) ?? {}, 'arguments'),
    ...Object.entries(headers).map(([name, value]) => ({
      text: unpackName(value),
      put(text: string) {
        headers[name] = packName(text)
      },
    })),
  ]
}

/** What a server answers, whatever it was asked: pictures, sound, files and addresses are no texts. */
export function textsOfAnswer(answer: JsonObject): TextPlace[] {
  const { completion, inputRequests } = answer
  return [
    ...asArray(answer.content).flatMap(textsOfPart),
    ...textsOfData(answer.structuredContent, answer, 'structuredContent'),
    ...asArray(answer.contents).flatMap(one => textsUnder(one, 'text')),
    ...textsUnder(answer, 'description'),
    ...asArray(answer.messages).flatMap(message => textsOfPart(asObject(message)?.content)),
    ...textsOfData(asObject(completion)?.values, asObject(completion) ?? {}, 'values'),
    ...(asObject(inputRequests) ? textsIn(asObject(inputRequests) ?? {}) : []),
  ]
}

function textsOfPart(part: Json | undefined): TextPlace[] {
  return [
    ...textsUnder(part, 'text', 'title', 'description'),
    ...textsUnder(asObject(part)?.resource, 'text'),
  ]
}

/** What a server says on its way: how far it is, and words for the log. */
export function textsOfNotification({ params }: JsonObject): TextPlace[] {
  const said = asObject(params)
  return said ? [...textsUnder(said, 'message'), ...textsOfData(said.data, said, 'data')] : []
}

/** An error as a server tells it. */
export function textsOfError(error: JsonObject): TextPlace[] {
  return [...textsUnder(error, 'message'), ...textsOfData(error.data, error, 'data')]
}

function textsUnder(holder: Json | undefined, ...names: readonly string[]): TextPlace[] {
  const given = asObject(holder)
  if (!given) return []
  return names.flatMap(name => {
    const text = given[name]
    if (typeof text !== 'string') return []
    const put = (masked: string): void => {
      given[name] = masked
    }
    return [{ text, put }]
  })
}
