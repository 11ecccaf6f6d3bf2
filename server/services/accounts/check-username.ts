import { username as usernameRule } from '../../../contract/credentials.ts'
import { AppError } from '../../errors.ts'
import { asEmail } from './email-address.ts'

const emoji = /\p{RGI_Emoji}/gv
/** What leaves no mark on a screen, or turns round what stands beside it. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A name to be known by: neither too long, nor one that looks like another's, or like none at all. */
export function checkUsername(name: string): void {
  if (!usernameRule.safeParse(name).success) throw new AppError('user.username-length')
  if (hasUnseen(name)) throw new AppError('user.username-unseen')
  if (isSpelledApart(name)) throw new AppError('user.username-apart')
  // Whoever names somebody by their address means who has it, and not who calls themselves so.
  if (asEmail(name) !== undefined) throw new AppError('user.username-address')
}

/** Whether it has letters in another spelling than usual, in which they look the same: two names would be one to the eye. */
export function isSpelledApart(name: string): boolean {
  return name !== name.normalize('NFC')
}

/** Whether something of it cannot be seen, by whoever looks at it. */
export function hasUnseen(name: string): boolean {
  return unseen.test(name.replaceAll(emoji, ''))
}
