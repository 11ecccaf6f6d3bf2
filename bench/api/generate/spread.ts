/** How the generated house is spread: what calls ask for is made of the same numbers. */
export const spread = {
  days: 60,
  /** Ids below are taken by the relay's own user, token and channels. */
  firstId: 11,
  users: 100_000,
  activeUsers: 1000,
  /** Users who work in the same hour. */
  atOnce: 150,
  models: 200,
  modelsOfUser: 5,
  channels: 10_000,
  usedChannels: 50,
  tags: 200,
  tokens: 100_000,
  tokensOfUser: 50,
} as const

/** Owns every token that no active user has. */
export const collector = { name: 'collector', password: 'bench-pass-1' } as const

export const userName = (at: number): string => `user${spread.firstId + (at % spread.activeUsers)}`
export const modelName = (at: number): string => `model-${1000 + (at % spread.models)}`
export const tokenName = (at: number): string =>
  `token-${spread.firstId + (at % spread.activeUsers) * spread.tokensOfUser + 1}`
export const channelId = (at: number): number => spread.firstId + (at % spread.usedChannels)
export const groups = ['default', 'vip', 'svip'] as const
