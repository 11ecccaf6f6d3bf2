import { dialects } from '../../dialects/index.ts'
import type { Channel } from '../../relay/routing/channel.ts'
import { takesBatches } from '../batches/place-of.ts'
import type { TaskAccount } from '../define.ts'
import { openaiHeaders } from '../openai-account.ts'

export const PLATFORM = 'openai-batches'

/** OpenAI, where files are kept and batches are made. */
export const account: TaskAccount = {
  channelTypes: [1],
  baseUrl: 'https://api.openai.com',
  headers: openaiHeaders,
  readRefusal: (status, body) => dialects['openai-chat'].readProblem(status, body),
}

export function takesFiles(channel: Channel): boolean {
  return takesBatches(account, channel)
}
