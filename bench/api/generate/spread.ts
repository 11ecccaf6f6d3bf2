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
  /** Of a team whose people make three calls of ten. */
  members: 500,
  teamTokens: 5000,
  projects: 50,
  /** Of each kind of record that grows with use, besides the log. */
  records: 200_000,
} as const

/** A team is a user like others, and in no way to be logged in as. */
export const teamId = spread.firstId + spread.users - 2
/** Who made a team's token: the first member is its owner. */
export const memberOf = (token: number): number => spread.firstId + (token % spread.members)
/** A member like others, and one who has made a token that nobody has used yet. */
export const busyMember = 7
export const idleMember = spread.members

/** Owns every token that no active user has. */
export const collector = { name: 'collector', password: 'bench-pass-1' } as const

export const userName = (at: number): string => `user${spread.firstId + (at % spread.activeUsers)}`
export const modelName = (at: number): string => `model-${1000 + (at % spread.models)}`
export const tokenName = (at: number): string =>
  `token-${spread.firstId + (at % spread.activeUsers) * spread.tokensOfUser + 1}`
export const channelId = (at: number): number => spread.firstId + (at % spread.usedChannels)
export const projectName = (at: number): string => `project:${at % spread.projects}`
export const groups = ['default', 'vip', 'svip'] as const
