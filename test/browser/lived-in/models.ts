/** What is called in the installation: ratio, completion ratio, how often, and the type that serves it. */
export interface Model {
  readonly name: string
  readonly ratio: number
  readonly completion: number
  readonly share: number
  readonly type: number
}

export const models: readonly Model[] = [
  { name: 'gpt-4o-mini', ratio: 0.075, completion: 4, share: 30, type: 1 },
  { name: 'gpt-4o', ratio: 1.25, completion: 4, share: 18, type: 1 },
  { name: 'claude-sonnet-4-20250514', ratio: 1.5, completion: 5, share: 16, type: 14 },
  { name: 'claude-3-5-haiku-20241022', ratio: 0.4, completion: 5, share: 6, type: 14 },
  { name: 'gemini-2.5-flash', ratio: 0.15, completion: 8.333333, share: 9, type: 24 },
  { name: 'gemini-2.5-pro', ratio: 0.625, completion: 8, share: 5, type: 24 },
  { name: 'deepseek-chat', ratio: 0.135, completion: 4, share: 12, type: 43 },
  { name: 'deepseek-reasoner', ratio: 0.275, completion: 4, share: 5, type: 43 },
  { name: 'text-embedding-3-small', ratio: 0.01, completion: 1, share: 8, type: 1 },
  { name: 'mistral-large-latest', ratio: 1, completion: 3, share: 3, type: 42 },
  { name: 'qwen-max', ratio: 1.2, completion: 3, share: 3, type: 17 },
  { name: 'o3', ratio: 1, completion: 4, share: 2, type: 1 },
]
