import type { Generated } from 'kysely'
import type { Quota, Seconds } from './column-types.ts'

export interface Midjourneys {
  id: Generated<number>
  code: number
  user_id: number
  action: string
  mj_id: string
  prompt: string
  prompt_en: string
  description: string
  state: string
  /** Milliseconds, as this kind of record has always had them. */
  submit_time: number
  start_time: number
  finish_time: number
  image_url: string
  status: string
  progress: string
  fail_reason: string
  channel_id: number
  quota: Quota
  buttons: string
  properties: string
}

export interface Tasks {
  id: Generated<number>
  task_id: string
  platform: string
  user_id: number
  channel_id: number
  quota: Quota
  action: string
  status: string
  fail_reason: string
  created_at: Seconds
  updated_at: Seconds
  submit_time: Seconds
  start_time: Seconds
  finish_time: Seconds
  progress: string
  properties: string
  data: string
}

/** `submitting` until an upstream has taken it, `running` until it ends one way or the other. */
export type RunState = 'submitting' | 'running' | 'done' | 'failed' | 'deleted'

/** A long job at an upstream, while it runs and afterwards; what people see of it is in the two tables above. */
export interface TaskRuns {
  /** Ours, and the only one that clients see. */
  id: string
  platform: string
  action: string
  user_id: number
  /** With which it was ordered; 0 of those that began before this was noted. */
  token_id: Generated<number>
  /** 0 until an upstream has taken it. */
  channel_id: number
  /** Which of the channel's keys it was submitted with. */
  key_hash: string
  model: string
  /** In which it was ordered, apart by commas; '' of those that began before this was noted. */
  groups: Generated<string>
  /** How many units of its price it costs. */
  calls: number
  /** The hold that pays for it. */
  request_id: string
  upstream_id: string
  state: RunState
  /** Where its owner wants to be told of changes, or ''. */
  hook: string
  submitted_at: Seconds
  /** When it has failed unless it has ended. */
  deadline_at: Seconds
  /** From when on any process may ask after it. */
  next_poll_at: Seconds
  /** The turn that asked last. */
  claim: string
}
