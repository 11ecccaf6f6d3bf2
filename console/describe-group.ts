import { currentLanguage } from './text.ts'

/** What every installation begins with. Whatever an operator has written is shown as it is. */
const initial: Readonly<Record<string, string>> = { 默认分组: 'Default group', vip分组: 'VIP group' }

/** What is said of a group besides its name; blank where that is nothing. */
export function describeGroup(name: string, description: string | undefined): string {
  if (!description || description === name) return ''
  return currentLanguage() === 'en' ? (initial[description] ?? description) : description
}
