import { asNumber, asText, type JsonObject } from '../../../server/dialects/json.ts'
import { refuseGemini } from './fail.ts'

/** gemini-2.5-flash → 2.5, gemini-4-argon → 4 */
export function versionOf(model: string): number {
  return Number(/^gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? 0)
}

const LEVELS = ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH']

export function checkThinkingConfig(config: JsonObject | undefined, model: string): void {
  if (config === undefined) return
  const { thinkingBudget, thinkingLevel } = config
  if (thinkingBudget !== undefined && thinkingLevel !== undefined)
    refuseGemini('You can only set only one of thinking budget and thinking level.')
  if (thinkingLevel !== undefined) checkLevel(asText(thinkingLevel) ?? '', model)
  if (thinkingBudget !== undefined) checkBudget(asNumber(thinkingBudget), model)
}

function checkLevel(level: string, model: string): void {
  if (versionOf(model) < 3) refuseGemini('Thinking level is not supported for this model.')
  const known = LEVELS.includes(level.toUpperCase())
  if (!known || (level.toUpperCase() === 'MINIMAL' && !knowsMinimal(model)))
    refuseGemini(`Thinking level ${level.toUpperCase()} is not supported for this model.`)
}

function knowsMinimal(model: string): boolean {
  return model.includes('lite') || (model.includes('flash') && versionOf(model) < 3.7)
}

function checkBudget(budget: number | undefined, model: string): void {
  if (budget === undefined || !Number.isInteger(budget))
    refuseGemini("Invalid value at 'generation_config.thinking_config.thinking_budget' (TYPE_INT32)")
  if (budget === -1) return
  const [low, high, zero] = budgetsOf(model)
  if (budget === 0 && zero) return
  if (budget === 0) refuseGemini('Budget 0 is invalid. This model only works in thinking mode.')
  if (budget < low || budget > high)
    refuseGemini(
      `The thinking budget ${budget} is invalid. Please choose a value between ${low} and ${high}.`,
    )
}

function budgetsOf(model: string): readonly [low: number, high: number, zero: boolean] {
  if (versionOf(model) >= 3) return [1, 32768, false]
  if (model.includes('lite')) return [512, 24576, true]
  return model.includes('flash') ? [1, 24576, true] : [128, 32768, false]
}
