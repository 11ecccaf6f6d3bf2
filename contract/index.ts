import { ledgerEndpoints } from './ledger.ts'
import { optionEndpoints } from './options.ts'
import { setupEndpoints } from './setup.ts'
import { systemEndpoints } from './system.ts'
import { userEndpoints } from './users.ts'
import { walletEndpoints } from './wallet.ts'

/** Every call the server answers. What is not here is not served. */
export const endpoints = {
  ...systemEndpoints,
  ...setupEndpoints,
  ...userEndpoints,
  ...optionEndpoints,
  ...walletEndpoints,
  ...ledgerEndpoints,
}
export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
