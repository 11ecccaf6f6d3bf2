import type { Seconds } from './column-types.ts'

/** A conversation at an OpenAI account, and whose it is. */
export interface OpenaiConversations {
  /** The vendor's, by which its responses tell it too. */
  id: string
  user_id: number
  token_id: number
  channel_id: number
  /** Of the key that it was made with: other accounts do not know it. */
  key_hash: string
  created_at: Seconds
}

/** A file at an OpenAI account that calls may name, and whose it is. */
export interface OpenaiFiles {
  /** Ours. Later ones are greater: lists go by that. */
  mark: string
  /** The vendor's, by which its answers tell it too. */
  id: string
  user_id: number
  token_id: number
  channel_id: number
  /** Of the key that it was uploaded with: other accounts do not know it. */
  key_hash: string
  purpose: string
  bytes: number
  created_at: Seconds
  /** 0: it stays until it is deleted. */
  expires_at: Seconds
  /** What the vendor told last, as JSON. */
  data: string
}

/** `making` until its vendor is known to have it and it is paid. */
export type ContainerState = 'making' | 'kept'

/** A container at an OpenAI account, in which code is run for a caller. */
export interface OpenaiContainers {
  /** Ours, and what the vendor calls those by that were made on purpose. Later ones are greater: lists go by that. */
  mark: string
  /** The vendor's, by which its responses tell it too; until it has told it, ours. */
  id: string
  user_id: number
  token_id: number
  /** 0 until a channel is asked. */
  channel_id: number
  key_hash: string
  /** By which it was priced, and the group in which it is paid. */
  model: string
  group: string
  /** The hold that pays for it; '' for one that an answer was paid with. */
  request_id: string
  state: ContainerState
  /** As its owner calls it. */
  title: string
  gigabytes: number
  /** Dollars for a thousand times 20 minutes of a gigabyte, as a decimal. */
  price: string
  created_at: Seconds
  /** When its making began, or somebody last looked how it stands. */
  changed_at: Seconds
  paid_until: Seconds
}

/** Time of a container's that an answer has paid: who is the first to write it down pays. */
export interface OpenaiContainerWindows {
  mark: string
  /** Until when the container was paid before; 0 for one that the answer made. */
  since: Seconds
  until: Seconds
  request_id: string
}
