import { listText } from '../../lists/catalogue.ts'
import { catalogue } from '../../text.ts'

export const channelText = catalogue(
  'channel',
  () => import('./locales/zh.ts'),
  () => import('./locales/en.ts'),
  listText,
)
