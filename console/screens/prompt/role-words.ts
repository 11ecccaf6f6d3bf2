import type { PromptRole } from '../../../contract/prompts.ts'

export const roleWords = {
  system: 'role.system',
  user: 'role.user',
  assistant: 'role.assistant',
} as const satisfies Record<PromptRole, string>
