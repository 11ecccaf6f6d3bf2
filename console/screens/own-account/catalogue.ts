import { signInText } from '../../sign-in/catalogue.ts'
import { catalogue } from '../../text.ts'

export const ownAccountText = catalogue(
  'own-account',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  signInText,
)
