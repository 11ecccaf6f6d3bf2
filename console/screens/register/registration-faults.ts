import { password, username } from '../../../contract/credentials.ts'

export interface Registration {
  readonly username: string
  readonly password: string
  readonly again: string
  readonly email: string
  readonly code: string
}

export type RegistrationFault =
  | 'usernameMissing'
  | 'usernameLong'
  | 'passwordShort'
  | 'passwordLong'
  | 'passwordsDiffer'
  | 'email.missing'
  | 'email.codeMissing'

/** What is wrong with each field, by the name of the words that say so. */
export function registrationFaults(
  values: Registration,
  withEmail: boolean,
): Partial<Record<keyof Registration, RegistrationFault>> {
  const faults: Partial<Record<keyof Registration, RegistrationFault>> = {}
  if (values.username.trim() === '') faults.username = 'usernameMissing'
  else if (!username.safeParse(values.username).success) faults.username = 'usernameLong'
  if (values.password.length < 8) faults.password = 'passwordShort'
  else if (!password.safeParse(values.password).success) faults.password = 'passwordLong'
  if (values.again !== values.password) faults.again = 'passwordsDiffer'
  if (withEmail && values.email.trim() === '') faults.email = 'email.missing'
  if (withEmail && values.code.trim() === '') faults.code = 'email.codeMissing'
  return faults
}
