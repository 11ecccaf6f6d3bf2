// What lists can be sorted by; what begins with a hyphen, the most first. Apart from the calls, which addresses of
// the console need nothing else of.

export const userSorts = [
  'quota',
  '-quota',
  'used_quota',
  '-used_quota',
  'request_count',
  '-request_count',
] as const
export type UserSort = (typeof userSorts)[number]

export const channelSorts = ['used_quota', '-used_quota'] as const
export type ChannelSort = (typeof channelSorts)[number]
