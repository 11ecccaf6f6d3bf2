import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { mapInTurns } from '../give-way.ts'
import { FEWEST_CALLS, FEWEST_USERS } from './enough-calls.ts'
import type { Span } from './past-days.ts'

const DAY = 86_400

/** What was used of a model, or of a vendor's. What was refused or failed was not used. */
export interface Used {
  readonly calls: number
  readonly tokens: number
  readonly users: Users
}

/** Whether they are enough, and while they are not, all of them: they are two at most. */
export interface Users {
  readonly areEnough: boolean
  readonly first: number
  readonly last: number
}

export interface UsedOnDay extends Used {
  readonly time: number
  readonly model: string
}

/** By model and UTC day, from the hourly sums. The tools of agents are no models. */
export async function countModels(db: Kysely<Schema>, { from, before }: Span): Promise<UsedOnDay[]> {
  const { rows } = await sql<Record<string, string | number>>`
    select ${sql.ref('time')}, model_name, sum(calls) as calls, sum(tokens) as tokens,
      count(distinct user_id) as users, min(user_id) as first_user, max(user_id) as last_user
    from (
      select hour - (hour % ${sql.lit(DAY)}) as ${sql.ref('time')}, model_name, user_id,
        requests - errors as calls, prompt_tokens + completion_tokens as tokens
      from usage_hourly
      where hour >= ${from} and hour < ${before} and requests > errors and model_name not like 'mcp/%'
    ) hours
    group by ${sql.ref('time')}, model_name`.execute(db)
  return mapInTurns(rows, row => ({
    time: Number(row.time),
    model: String(row.model_name),
    calls: Number(row.calls),
    tokens: Number(row.tokens),
    users: {
      areEnough: Number(row.users) >= FEWEST_USERS,
      first: Number(row.first_user),
      last: Number(row.last_user),
    },
  }))
}

export function addUsed(one: Used | undefined, other: Used): Used {
  if (!one) return other
  return {
    calls: one.calls + other.calls,
    tokens: one.tokens + other.tokens,
    users: addUsers(one.users, other.users),
  }
}

export function addUsers(one: Users, other: Users): Users {
  const all = new Set([one.first, one.last, other.first, other.last])
  return {
    areEnough: one.areEnough || other.areEnough || all.size >= FEWEST_USERS,
    first: Math.min(one.first, other.first),
    last: Math.max(one.last, other.last),
  }
}

export function isEnough({ calls, users }: Used): boolean {
  return calls >= FEWEST_CALLS && users.areEnough
}
