import type { ChatEndpoint, Endpoint, PlainEndpoint } from '../../define.ts'
import { leaveOutForeign } from '../edits/leave-out-foreign.ts'

const version = { 'anthropic-version': '2023-06-01' }
const headers: Endpoint['headers'] = () => version

export function anthropicChat(options: { path?: string; vendorOnly?: boolean } = {}): ChatEndpoint {
  const path = options.path ?? '/v1/messages'
  return {
    dialect: 'anthropic',
    path: () => path,
    headers,
    edit: leaveOutForeign,
    vendorOnly: options.vendorOnly,
  }
}

/** Where it stands elsewhere than all else, by base URL. */
export function anthropicAt(addresses: Readonly<Record<string, string>>): ChatEndpoint {
  return {
    ...anthropicChat(),
    path: ({ baseUrl }) => addresses[baseUrl] ?? '/v1/messages',
    serves: ({ baseUrl }) => Object.hasOwn(addresses, baseUrl),
  }
}

export const anthropicCountTokens: PlainEndpoint = {
  form: 'anthropic',
  path: () => '/v1/messages/count_tokens',
  headers,
  edit: leaveOutForeign,
}
