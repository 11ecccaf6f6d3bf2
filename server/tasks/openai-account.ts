import type { Channel } from '../relay/routing/channel.ts'

export function openaiHeaders(key: string, { organization }: Channel): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    ...(organization && { 'openai-organization': organization }),
  }
}
