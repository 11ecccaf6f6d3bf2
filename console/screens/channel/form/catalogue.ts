import { listText } from '../../../lists/catalogue.ts'
import { catalogue } from '../../../text.ts'

export const formText = catalogue(
  'channel-form',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
