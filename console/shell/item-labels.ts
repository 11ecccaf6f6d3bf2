import type { ItemId } from '../navigation.ts'

export const itemLabels = {
  playground: 'nav.playground',
  channel: 'nav.channel',
  chat: 'nav.chat',
  token: 'nav.token',
  prompt: 'nav.prompt',
  detail: 'nav.detail',
  redemption: 'nav.redemption',
  topup: 'nav.topup',
  user: 'nav.user',
  log: 'nav.log',
  midjourney: 'nav.midjourney',
  task: 'nav.task',
  tools: 'nav.tools',
  mcpServer: 'nav.mcpServer',
  setting: 'nav.setting',
} as const satisfies Record<ItemId, string>
