import type { JsonObject } from '../json.ts'
import type { Effort, Reasoning } from '../spec.ts'
import type { ModelRules } from './model-rules.ts'

const DEFAULT_MAX_TOKENS = 8192
/** Models that think as they like take several times that, and thoughts are a part of it. */
const MAX_TOKENS_OF_STREAM = 32_000
const LEAST_BUDGET = 1024
/** What an answer needs beside its thinking, when the client set no limit. */
const ROOM_FOR_ANSWER = 4096

export interface ThinkingPlan {
  readonly thinking?: JsonObject | undefined
  readonly effort?: string | undefined
  readonly maxTokens: number
  /** Whether thinking was asked for in the request, which then may not sample or force as it likes. */
  readonly on: boolean
}

/** `mayThink` is false when the turn under way began without thinking: old models refuse to take it up. */
export function planThinking(
  reasoning: Reasoning | undefined,
  maxOutput: number | undefined,
  rules: ModelRules,
  mayThink: boolean,
  stream: boolean,
): ThinkingPlan {
  const maxTokens = maxOutput ?? usualLimit(rules, stream)
  if (reasoning === undefined) return { maxTokens, on: false }
  if (reasoning.effort === undefined && reasoning.budget === undefined)
    return { thinking: showAlways(reasoning, rules), maxTokens, on: false }
  const off = reasoning.effort === 'none' || reasoning.budget === 0
  if (rules.thinking !== 'budget')
    return off ? planOff(reasoning, maxTokens, rules) : planEffort(reasoning, maxTokens, rules)
  if (off) return { thinking: rules.isClaude ? undefined : { type: 'disabled' }, maxTokens, on: false }
  return mayThink ? planBudget(reasoning, maxOutput) : { maxTokens, on: false }
}

/** For who set none. What comes whole is paid for when it is there, so it is kept short. */
function usualLimit({ thinking }: ModelRules, stream: boolean): number {
  return stream && thinking !== 'budget' ? MAX_TOKENS_OF_STREAM : DEFAULT_MAX_TOKENS
}

function planBudget(reasoning: Reasoning, maxOutput: number | undefined): ThinkingPlan {
  const most = (maxOutput ?? DEFAULT_MAX_TOKENS) - 1
  const wanted = Math.max(LEAST_BUDGET, findBudget(reasoning, most))
  if (maxOutput === undefined)
    return {
      thinking: { type: 'enabled', budget_tokens: wanted },
      maxTokens: Math.max(DEFAULT_MAX_TOKENS, wanted + ROOM_FOR_ANSWER),
      on: true,
    }
  if (most < LEAST_BUDGET) return { maxTokens: maxOutput, on: false }
  return {
    thinking: { type: 'enabled', budget_tokens: Math.min(wanted, most) },
    maxTokens: maxOutput,
    on: true,
  }
}

function findBudget(reasoning: Reasoning, most: number): number {
  if (reasoning.budget !== undefined && reasoning.budget > 0) return Math.floor(reasoning.budget)
  switch (reasoning.effort) {
    case 'minimal':
    case 'low':
      return 1024
    case 'medium':
      return 2048
    case 'high':
      return 4096
    default:
      return most
  }
}

function planEffort(reasoning: Reasoning, maxTokens: number, rules: ModelRules): ThinkingPlan {
  return {
    thinking: { type: 'adaptive', display: nameDisplay(reasoning, rules.hidesThoughts) },
    effort: nameEffort(findEffort(reasoning), rules),
    maxTokens,
    on: true,
  }
}

function planOff(reasoning: Reasoning, maxTokens: number, rules: ModelRules): ThinkingPlan {
  const effort = nameEffort(reasoning.effort, rules)
  switch (rules.thinking) {
    case 'always':
      return { effort: effort ?? 'low', maxTokens, on: false }
    case 'between-tools':
      return { thinking: { type: 'between_tools' }, effort, maxTokens, on: false }
    case 'default-on':
      // Disabled goes with an effort of high at most.
      return {
        thinking: { type: 'disabled' },
        effort: effort === 'xhigh' || effort === 'max' ? 'high' : effort,
        maxTokens,
        on: false,
      }
    default:
      return { thinking: { type: 'disabled' }, effort, maxTokens, on: false }
  }
}

/** Models that think unasked still have to be told to show it. */
function showAlways(reasoning: Reasoning, rules: ModelRules): JsonObject | undefined {
  if (reasoning.visible === undefined) return undefined
  if (rules.thinking === 'budget' || rules.thinking === 'adaptive') return undefined
  return { type: 'adaptive', display: nameDisplay(reasoning, true) }
}

/** Whoever has no word for it, as chat clients, takes thoughts as they come. */
function nameDisplay({ visible }: Reasoning, hidden: boolean): string | undefined {
  if (visible === undefined) return hidden ? 'summarized' : undefined
  return visible ? 'summarized' : 'omitted'
}

function findEffort(reasoning: Reasoning): Effort | undefined {
  const { effort, budget } = reasoning
  if (effort !== undefined || budget === undefined || budget < 0) return effort
  if (budget < 2048) return 'low'
  return budget < 4096 ? 'medium' : 'high'
}

function nameEffort(effort: Effort | undefined, rules: ModelRules): string | undefined {
  switch (effort) {
    case undefined:
    case 'none':
      return undefined
    case 'minimal':
      return 'low'
    case 'xhigh':
      return rules.xhighEffort ? 'xhigh' : 'max'
    default:
      return effort
  }
}
