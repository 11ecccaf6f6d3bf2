import { asArray, asObject, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { checkChatOrder } from '../openai/check-chat-order.ts'
import type { Call } from '../upstream.ts'
import { refuseDeepseek } from './fail.ts'

/** Thinks unless told not to. */
export function thinksDeepseek(body: JsonObject): boolean {
  return asObject(body.thinking)?.type !== 'disabled'
}

const ROLES = ['system', 'user', 'assistant', 'tool', 'latest_reminder']
const PARSE = 'Failed to deserialize the JSON body into the target type:'

export function checkDeepseekChat(call: Call): void {
  const { body, options } = call
  if (typeof body.model !== 'string') refuseDeepseek(`${PARSE} missing field \`model\``)
  if (!Array.isArray(body.messages)) refuseDeepseek(`${PARSE} missing field \`messages\``)
  if (body.messages.length === 0) refuseDeepseek('Empty input messages')
  if (options.models !== undefined && !options.models.includes(body.model)) refuseDeepseek('Model Not Exist')
  const format = asText(asObject(body.response_format)?.type)
  if (format === 'json_schema') refuseDeepseek('This response_format type is unavailable now')
  const choice = asText(asObject(body.tool_choice)?.type)
  if (choice !== undefined && choice !== 'function')
    refuseDeepseek(`${PARSE} tool_choice: unknown variant \`${choice}\`, expected \`function\``)
  if (thinksDeepseek(body) && (body.tool_choice === 'required' || choice !== undefined))
    refuseDeepseek('Thinking mode does not support this tool_choice')
  checkThinking(body)
  for (const [at, one] of body.messages.entries()) checkMessage(asObject(one) ?? {}, at, thinksDeepseek(body))
  checkChatOrder(body.messages)
}

function checkThinking(body: JsonObject): void {
  const type = asText(asObject(body.thinking)?.type)
  if (type !== undefined && type !== 'enabled' && type !== 'disabled')
    refuseDeepseek(
      `${PARSE} thinking.type: unknown variant \`${type}\`, expected \`enabled\` or \`disabled\``,
    )
  const effort = asText(body.reasoning_effort)
  if (effort !== undefined && !['minimal', 'low', 'medium', 'high', 'max'].includes(effort))
    refuseDeepseek(`${PARSE} reasoning_effort: unknown variant \`${effort}\``)
}

function checkMessage(message: JsonObject, at: number, thinking: boolean): void {
  const role = asText(message.role) ?? ''
  if (!ROLES.includes(role))
    refuseDeepseek(
      `${PARSE} messages[${at}].role: unknown variant \`${role}\`, expected one of \`system\`, \`user\`, \`assistant\`, \`tool\`, \`latest_reminder\``,
    )
  for (const part of asArray(message.content)) {
    const type = asText(asObject(part)?.type)
    if (type !== 'text')
      refuseDeepseek(`${PARSE} messages[${at}]: unknown variant \`${type}\`, expected \`text\``)
  }
  const calls = asArray(message.tool_calls).length > 0
  if (thinking && calls && typeof message.reasoning_content !== 'string')
    refuseDeepseek('The `reasoning_content` in the thinking mode must be passed back to the API.')
}
