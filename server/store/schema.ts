import type { Generated } from 'kysely'
import type { RefillPeriod } from '../../contract/tokens.ts'
import type { AnthropicFiles } from './anthropic-schema.ts'
import type { BackgroundResponses } from './background-schema.ts'
import type { Batches, Files } from './batch-schema.ts'
import type { Flag, Quota, Seconds } from './column-types.ts'
import type { GeminiCaches, GeminiFiles } from './gemini-schema.ts'
import type { ClosedMonths, Holds, LedgerEntries, Nodes, SpendLimits } from './ledger-schema.ts'
import type {
  ChangedDays,
  KeptDayRows,
  LogContents,
  LogSinks,
  Logs,
  UsageHourly,
  UsageLabelsHourly,
  UsageLatencyHourly,
} from './log-schema.ts'
import type { McpServers } from './mcp-schema.ts'
import type {
  OpenaiContainers,
  OpenaiContainerWindows,
  OpenaiConversations,
  OpenaiFiles,
} from './openai-schema.ts'
import type { Plans, SubscriptionHolds, SubscriptionPeriods, Subscriptions } from './plan-schema.ts'
import type {
  PromptLabels,
  PromptReleases,
  Prompts,
  PromptUsageByToken,
  PromptUsageDaily,
  PromptVersions,
} from './prompt-schema.ts'
import type { BackupCodes, Passkeys, SignInFlows, TwoFactors } from './sign-in-schema.ts'
import type { Midjourneys, TaskRuns, Tasks } from './task-schema.ts'
import type { TeamInvitations, TeamMembers } from './team-schema.ts'

/** Calls and tokens in a minute, and calls at once, at most; 0 for no limit. */
interface LimitColumns {
  rpm: Generated<number>
  tpm: Generated<number>
  concurrency: Generated<number>
}

export interface Users extends LimitColumns {
  id: Generated<number>
  username: string
  password_hash: string
  display_name: string
  role: number
  status: number
  email: string | null
  github_id: string | null
  wechat_id: string | null
  telegram_id: string | null
  linux_do_id: string | null
  oidc_id: string | null
  discord_id: string | null
  access_token_hash: string | null
  quota: Quota
  used_quota: Quota
  request_count: number
  group: string
  aff_code: string | null
  aff_count: number
  aff_quota: Quota
  aff_history_quota: Quota
  inviter_id: number
  created_at: Seconds
  deleted_at: Seconds | null
  /** When the owner was last told that little is left, and what they had used by then. */
  quota_reminded_at: Generated<Seconds>
  quota_reminded_used: Generated<Quota>
}

export interface Tokens extends LimitColumns {
  id: Generated<number>
  user_id: number
  name: string
  /** Tokens are found by a keyed hash; the key itself is sealed. */
  key_hash: string
  key_sealed: string
  status: number
  created_time: Seconds
  accessed_time: Seconds
  expired_time: number
  remain_quota: Quota
  used_quota: Quota
  unlimited_quota: Flag
  model_limits_enabled: Flag
  model_limits: string
  allow_ips: string | null
  group: string
  /** What the budget becomes again at each period's end; `refill_at` is 0 where it does not renew. */
  refill_quota: Generated<Quota>
  refill_period: Generated<RefillPeriod>
  refill_at: Generated<Seconds>
  /** When it last did; 0 for never. */
  refilled_at: Generated<Seconds>
  /** The member of a team who made it for the team; 0 where the account is a person's own. */
  created_by: Generated<number>
  /** What all of its calls are for, by commas (`contract/labels.ts`); null where nobody has said. */
  labels: Generated<string | null>
  deleted_at: Seconds | null
}

export interface Channels extends LimitColumns {
  id: Generated<number>
  type: number
  name: string
  status: number
  key_hash: string
  key_sealed: string
  base_url: string | null
  other: string
  openai_organization: string | null
  test_model: string | null
  models: string
  group: string
  model_mapping: string | null
  status_code_mapping: string | null
  priority: number
  weight: number
  auto_ban: Flag
  tag: string | null
  setting: string | null
  other_info: string
  response_time: number
  test_time: Seconds
  /** Micro-dollars. */
  balance: number
  balance_updated_time: Seconds
  used_quota: Quota
  created_time: Seconds
}

/** One row per group, model and channel that serves it. */
export interface Abilities {
  group: string
  model: string
  channel_id: number
  enabled: Flag
  priority: number
  weight: number
  tag: string | null
}

export interface Redemptions {
  id: Generated<number>
  user_id: number
  key: string
  status: number
  name: string
  quota: Quota
  created_time: Seconds
  redeemed_time: Seconds
  used_user_id: number
  /** From when on nobody can redeem it; 0 for never. */
  expired_time: Generated<Seconds>
  deleted_at: Seconds | null
}

export interface TopUps {
  id: Generated<number>
  user_id: number
  /** As it was asked for: dollars, or quota where that is what people see. */
  amount: number
  /** What is credited when it is paid. */
  quota: Quota
  /** In the smallest unit of the currency that is paid in. */
  money: number
  /** Of a card payment, in small letters; blank where the gateway has but one, which has cents. */
  currency: Generated<string>
  trade_no: string
  payment_method: string
  status: string
  create_time: Seconds
  complete_time: Seconds
  /** The plan that it is for, with its terms; null where it is for quota. */
  plan: Generated<string | null>
}

export interface Options {
  key: string
  value: string
  updated_at: Seconds
}

export interface Sessions {
  id_hash: string
  user_id: number
  /** The role it was issued for: a session of another role is replaced at its next use. */
  role: number
  created_at: Seconds
  seen_at: Seconds
  expires_at: Seconds
  address: string
  user_agent: string
  /** When its owner last proved again who they are; 0 for never. */
  verified_at: Generated<Seconds>
}

/** Counters of attempts that must hold across workers and restarts. */
export interface Throttles {
  key: string
  window_start: Seconds
  count: number
}

/** How often each snapshot's source has changed; what a poll compares. */
export interface Revisions {
  topic: string
  version: number
}

/** Facts about this installation: its id, the proof of its secret, whether set-up is done. */
export interface System {
  key: string
  value: string
}

/** What someone must show, or has shown, for a while: a mailed code, a reset link, a solved captcha. */
export interface Proofs {
  kind: string
  /** A keyed hash of whom it concerns. */
  subject: string
  secret_hash: string
  tries: number
  expires_at: Seconds
}

/** Management changes, each with the hash of the one before; rows are only ever added. */
export interface AuditRecords {
  id: number
  created_at: Seconds
  /** 0 when nobody was logged in. */
  user_id: number
  username: string
  address: string
  action: string
  subject: string
  before: string
  after: string
  previous_hash: string
  hash: string
}

/** A long piece of work; of each name one runs at a time, wherever. */
export interface BackgroundWorks {
  name: string
  /** Who runs it; once it has ended, who ran it last. */
  owner: string
  total: number
  done: number
  failed: number
  started_at: Seconds
  /** When its owner last said that it was at it: one that is silent for long has died. */
  seen_at: Seconds
  /** 0 while it runs. */
  ended_at: Seconds
  cancelled: Flag
}

/** Which upstream stores what somebody got, and may name later; no words of anybody are in it. */
export interface StoredResponseRows {
  name_hash: string
  user_id: number
  channel_id: number
  created_at: Seconds
  /** 0 in rows that are older than this. */
  token_id: Generated<number>
  /** '' in those. */
  key_mark: Generated<string>
}

/** How a user wants to be told that little is left; who has no row gets a mail. */
export interface UserNotices {
  user_id: number
  /** 0 for the operator's. */
  threshold: Quota
  kind: string
  /** Another address than the account's own, for mails. */
  email: string | null
  /** Where to and with which secret; null for mails. */
  way_sealed: string | null
  /** Of a team the owner who has said so; 0 for the account itself, and where nobody knows any more. */
  set_by: Generated<number>
}

/** On SQLite alone: what users are searched by, all names of one as a text. Triggers write it. */
export interface UserSearchRows extends Pick<Users, 'role' | 'status' | 'group' | 'deleted_at'> {
  id: number
  words: string
}

export interface Schema {
  users: Users
  tokens: Tokens
  channels: Channels
  abilities: Abilities
  redemptions: Redemptions
  top_ups: TopUps
  logs: Logs
  usage_hourly: UsageHourly
  usage_latency_hourly: UsageLatencyHourly
  usage_labels_hourly: UsageLabelsHourly
  changed_days: ChangedDays
  kept_days: KeptDayRows
  midjourneys: Midjourneys
  tasks: Tasks
  task_runs: TaskRuns
  files: Files
  batches: Batches
  background_responses: BackgroundResponses
  gemini_files: GeminiFiles
  gemini_caches: GeminiCaches
  openai_conversations: OpenaiConversations
  openai_containers: OpenaiContainers
  openai_container_windows: OpenaiContainerWindows
  openai_files: OpenaiFiles
  anthropic_files: AnthropicFiles
  options: Options
  sessions: Sessions
  throttles: Throttles
  revisions: Revisions
  system: System
  nodes: Nodes
  holds: Holds
  ledger_entries: LedgerEntries
  closed_months: ClosedMonths
  spend_limits: SpendLimits
  sign_in_flows: SignInFlows
  two_factors: TwoFactors
  backup_codes: BackupCodes
  passkeys: Passkeys
  background_work: BackgroundWorks
  proofs: Proofs
  audit_records: AuditRecords
  kept_answers: StoredResponseRows
  user_notices: UserNotices
  user_search: UserSearchRows
  log_contents: LogContents
  log_sinks: LogSinks
  plans: Plans
  subscriptions: Subscriptions
  subscription_periods: SubscriptionPeriods
  subscription_holds: SubscriptionHolds
  team_members: TeamMembers
  team_invitations: TeamInvitations
  mcp_servers: McpServers
  prompts: Prompts
  prompt_versions: PromptVersions
  prompt_labels: PromptLabels
  prompt_releases: PromptReleases
  prompt_usage_daily: PromptUsageDaily
  prompt_usage_by_token: PromptUsageByToken
}
