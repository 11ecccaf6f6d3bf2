import { asArray, asObject, asText, type JsonObject, parseObject } from '../../../server/dialects/json.ts'
import { readDataUrl } from '../read-media.ts'
import { EMPTY_TURN, type Image, type Turn } from '../reply.ts'
import { fields, findUnknown, type Shape } from '../shape.ts'
import type { Call } from '../upstream.ts'
import { refuseTencent } from './fail.ts'

const TOOL: Shape = { Type: true, Function: fields('Name Parameters Description') }
const CHAT: Shape = {
  ...fields('Model Stream StreamModeration TopP Temperature EnableEnhancement ToolChoice Seed Stop'),
  Messages: [
    {
      ...fields('Role Content ToolCallId ReasoningContent'),
      Contents: [{ ...fields('Type Text'), ImageUrl: fields('Url') }],
      ToolCalls: [{ ...fields('Id Type Index'), Function: fields('Name Arguments') }],
    },
  ],
  Tools: [TOOL],
  CustomTool: TOOL,
}
const MOST_MESSAGES = 40

export function checkChat({ body }: Call): void {
  const unknown = findUnknown(body, CHAT)
  if (unknown !== undefined) refuseTencent(`The parameter \`${unknown.join('.')}\` is not recognized.`)
  if (typeof body.Model !== 'string') refuseTencent('The request is missing a required parameter `Model`.')
  if (Number(body.Temperature ?? 1) > 2) refuseTencent('Temperature must be 2 or less')
  if (Number(body.TopP ?? 1) > 1) refuseTencent('TopP must be 1 or less')
  const messages = asArray(body.Messages).map(one => asObject(one) ?? {})
  if (messages.length > MOST_MESSAGES) refuseTencent('Messages is too long')
  checkOrder(messages)
  for (const message of messages) checkContent(message)
  const tools = [...asArray(body.Tools), ...(body.CustomTool === undefined ? [] : [body.CustomTool])]
  for (const tool of tools)
    if (parseObject(String(asObject(asObject(tool)?.Function)?.Parameters)) === undefined)
      refuseTencent('Parameters must be a JSON string')
  const choice = body.ToolChoice ?? 'auto'
  if (!['none', 'auto', 'custom'].includes(String(choice))) refuseTencent('ToolChoice is invalid')
  if ((choice === 'custom') !== (body.CustomTool !== undefined)) refuseTencent('CustomTool is invalid')
}

function checkOrder(messages: readonly JsonObject[]): void {
  const turns = messages[0]?.Role === 'system' ? messages.slice(1) : messages
  let last = 'assistant'
  for (const { Role } of turns) {
    const role = String(Role)
    const isGood =
      role === 'assistant'
        ? last !== 'assistant'
        : role === 'tool'
          ? last !== 'user'
          : role === 'user' && last === 'assistant'
    if (!isGood) refuseTencent(`Messages: ${role} after ${last}`)
    last = role
  }
  if (last === 'assistant') refuseTencent('Messages must end with user or tool')
}

function checkContent({ Role, Content, Contents, ToolCalls, ToolCallId }: JsonObject): void {
  if (!Content && !Contents && !ToolCalls) refuseTencent('Content can not be empty')
  if (Content && Contents) refuseTencent('Content and Contents can not be both set')
  if (Role === 'tool' && !ToolCallId) refuseTencent('ToolCallId can not be empty')
}

export function readTencentTurn(body: JsonObject): Turn {
  const messages = asArray(body.Messages).map(one => asObject(one) ?? {})
  const tools = asArray(body.Tools).map(tool => asObject(asObject(tool)?.Function) ?? {})
  const lastUser = messages.findLast(({ Role }) => Role === 'user')
  const lastAssistant = messages.findLastIndex(({ Role }) => Role === 'assistant')
  const forced = asText(asObject(asObject(body.CustomTool)?.Function)?.Name)
  return {
    ...EMPTY_TURN,
    model: asText(body.Model) ?? '',
    stream: body.Stream === true,
    text: [...messages.map(textOf), ...tools.map(({ Name, Description }) => `${Name}${Description}`)].join(
      '',
    ),
    media: messages.flatMap(imagesOf).length,
    lastText: lastUser === undefined ? '' : textOf(lastUser),
    lastImages: lastUser === undefined ? [] : imagesOf(lastUser),
    results: messages
      .slice(lastAssistant + 1)
      .flatMap(({ Role, Content }) => (Role === 'tool' ? (asText(Content) ?? '') : [])),
    tools: tools.map(({ Name, Parameters }) => ({
      name: asText(Name) ?? '',
      schema: parseObject(String(Parameters)),
    })),
    choice: forced === undefined ? (body.ToolChoice === 'none' ? 'none' : 'auto') : { names: [forced] },
    stop: asArray(body.Stop).map(String),
  }
}

function textOf({ Content, Contents, ToolCalls }: JsonObject): string {
  const parts = asArray(Contents).map(part => asText(asObject(part)?.Text) ?? '')
  const calls = asArray(ToolCalls).map(call => asObject(asObject(call)?.Function))
  return `${asText(Content) ?? ''}${parts.join('')}${calls.map(call => `${call?.Name}${call?.Arguments}`).join('')}`
}

function imagesOf({ Contents }: JsonObject): Image[] {
  return asArray(Contents).flatMap(part => {
    const url = asText(asObject(asObject(part)?.ImageUrl)?.Url)
    return url === undefined ? [] : [readDataUrl(url)]
  })
}
