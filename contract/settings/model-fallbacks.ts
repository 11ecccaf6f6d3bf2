import * as z from 'zod/mini'
import type { Text } from '../language.ts'
import { json, name, type Setting, SettingError } from './define.ts'

export type ModelFallbacks = Record<string, string[]>

/** In place of a model: every one that is not named itself. */
export const ANY_MODEL = '*'

/** Each is asked as often as the operator lets channels be retried. */
export const MOST_FALLBACKS = 10

/** Which models stand in for which, by what it is that the one cannot do. */
export const fallbackSettings = {
  ModelFallbacks: fallbacks(
    { zh: '模型回退', en: 'Model fallbacks' },
    {
      zh: '形如 {"gpt-4o": ["claude-sonnet-4", "gemini-2.5-pro"], "*": ["gpt-4o-mini"]}：没有渠道能提供该模型时依次改用这些模型，按实际使用的模型计费；* 为其余模型，[] 为不回退',
      en: 'Such as {"gpt-4o": ["claude-sonnet-4", "gemini-2.5-pro"], "*": ["gpt-4o-mini"]}: if no channel can serve a model, these are tried in order and billed as used; * means all other models, [] no fallback',
    },
  ),
  ContextWindowFallbacks: fallbacks({
    zh: '请求过长时的模型回退',
    en: 'Model fallbacks for requests that are too long',
  }),
  ContentPolicyFallbacks: fallbacks({
    zh: '内容审核拒绝时的模型回退',
    en: 'Model fallbacks for content filter refusals',
  }),
}

function fallbacks(label: Text, help?: Text): Setting<ModelFallbacks> {
  return json<ModelFallbacks>(
    'operation.routing',
    {},
    { schema: z.record(name, z.array(name)), refuse: refuseLists, label, ...(help && { help }) },
  )
}

function refuseLists(fallbacks: ModelFallbacks): SettingError | undefined {
  for (const [model, listed] of Object.entries(fallbacks)) {
    const twice = listed.find((one, at) => listed.indexOf(one) !== at)
    if (listed.length > MOST_FALLBACKS)
      return refusal(`${model} 最多 ${MOST_FALLBACKS} 个模型`, `${model}: at most ${MOST_FALLBACKS} models`)
    if (listed.includes(ANY_MODEL))
      return refusal(`${model} 的列表中不能有 *`, `${model}: * cannot stand in a list`)
    if (listed.includes(model))
      return refusal(`${model} 不能回退到自身`, `${model}: a model is no fallback for itself`)
    if (twice !== undefined)
      return refusal(`${model} 的列表中 ${twice} 重复`, `${model}: ${twice} is listed twice`)
  }
  return undefined
}

function refusal(zh: string, en: string): SettingError {
  return new SettingError('option.value', { zh, en })
}
