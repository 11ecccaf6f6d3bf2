import type { JsonObject } from '../json.ts'
import type { Effort, Reasoning } from '../spec.ts'
import type { ModelVersion } from './model-version.ts'

type Level = 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH'

/** `least` is the smallest budget above `off`. */
interface BudgetRange {
  readonly off: number
  readonly least: number
  readonly most: number
}

const ranges: Partial<Record<ModelVersion['family'], BudgetRange>> = {
  pro: { off: 128, least: 128, most: 32_768 },
  flash: { off: 0, least: 1, most: 24_576 },
  lite: { off: 0, least: 512, most: 24_576 },
}
const AS_IT_LIKES = -1

/** The thinkingConfig for a model: a budget up to 2.5, a level from 3 on, never both. */
export function writeThinking(
  reasoning: Reasoning | undefined,
  version: ModelVersion,
): JsonObject | undefined {
  if (!reasoning || !version.thinks) return undefined
  const config: JsonObject = {}
  if (version.major >= 3) {
    const level = chooseLevel(reasoning, version)
    if (level !== undefined) config.thinkingLevel = level
  } else {
    const budget = chooseBudget(reasoning, ranges[version.family])
    if (budget !== undefined) config.thinkingBudget = budget
  }
  if (reasoning.visible !== false && reasoning.effort !== 'none' && reasoning.budget !== 0)
    config.includeThoughts = true
  return Object.keys(config).length > 0 ? config : undefined
}

function chooseBudget(reasoning: Reasoning, range: BudgetRange | undefined): number | undefined {
  if (!range) return undefined
  if (reasoning.budget !== undefined) return clampBudget(reasoning.budget, range)
  return reasoning.effort === undefined ? undefined : budgetOf(reasoning.effort, range)
}

function clampBudget(budget: number, range: BudgetRange): number {
  if (budget < 0) return AS_IT_LIKES
  if (budget === 0) return range.off
  return Math.min(Math.max(Math.floor(budget), range.least), range.most)
}

function budgetOf(effort: Effort, range: BudgetRange): number {
  switch (effort) {
    case 'none':
      return range.off
    case 'minimal':
    case 'low':
      return 1024
    case 'medium':
      return 2048
    case 'high':
      return 4096
    case 'xhigh':
    case 'max':
      return range.most
  }
}

function chooseLevel(reasoning: Reasoning, version: ModelVersion): Level | undefined {
  const effort = reasoning.effort ?? effortOf(reasoning.budget)
  if (effort === undefined) return undefined
  if (effort === 'none') return lowestLevel(version)
  if (effort === 'minimal' || effort === 'low') return 'LOW'
  return effort === 'medium' ? 'MEDIUM' : 'HIGH'
}

/** From 3 on thinking cannot be turned off; from 3.7 on Flash does not know the least of it any more. */
function lowestLevel({ major, minor, family }: ModelVersion): Level {
  if (major !== 3) return 'LOW'
  return family === 'lite' || (family === 'flash' && minor < 7) ? 'MINIMAL' : 'LOW'
}

/** The budgets of 2.5 read backwards; "as it likes" is what a model does when told nothing. */
function effortOf(budget: number | undefined): Effort | undefined {
  if (budget === undefined || budget < 0) return undefined
  if (budget === 0) return 'none'
  if (budget < 2048) return 'low'
  return budget < 4096 ? 'medium' : 'high'
}
