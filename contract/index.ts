import { ledgerEndpoints } from './ledger.ts'
import { optionEndpoints } from './options.ts'
import { setupEndpoints } from './setup.ts'
import { systemEndpoints } from './system.ts'
import { tokenUsageEndpoints } from './token-usage.ts'
import { userEndpoints } from './users.ts'
import { walletEndpoints } from './wallet.ts'

/** Every call the server answers. What is not here is not served. */
export const endpoints = {
  ...systemEndpoints,
  ...setupEndpoints,
  ...userEndpoints,
  ...optionEndpoints,
  ...walletEndpoints,
  ...tokenUsageEndpoints,
  ...ledgerEndpoints,
}
export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints

/** The same by subject, for those who read the description. */
export const endpointGroups = [
  { name: { zh: '账户', en: 'Accounts' }, endpoints: { ...userEndpoints, ...setupEndpoints } },
  { name: { zh: '钱包', en: 'Wallet' }, endpoints: { ...walletEndpoints, ...tokenUsageEndpoints } },
  { name: { zh: '设置', en: 'Settings' }, endpoints: optionEndpoints },
  { name: { zh: '账目', en: 'Books' }, endpoints: ledgerEndpoints },
  { name: { zh: '系统', en: 'System' }, endpoints: systemEndpoints },
]
