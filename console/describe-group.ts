import { currentLanguage } from './text.ts'

/** What every installation begins with, and what the server says of a group that only its own users may choose. */
const initial: Readonly<Record<string, string>> = {
  默认分组: 'Default group',
  vip分组: 'VIP group',
  用户分组: 'Account group',
}

/** What is said of a group besides its name; blank where that is nothing. What an operator has written stays as it is. */
export function describeGroup(name: string, description: string | undefined): string {
  if (!description || description === name) return ''
  return currentLanguage() === 'en' ? (initial[description] ?? description) : description
}
