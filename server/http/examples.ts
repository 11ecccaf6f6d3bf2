import type { BodyInputOf } from '../../contract/endpoint.ts'
import type { EndpointName, Endpoints } from '../../contract/index.ts'

/** What is sent as a rule, where the fields alone do not tell. */
export const examples: { readonly [Name in EndpointName]?: BodyInputOf<Endpoints[Name]> } = {
  login: { username: 'root', password: '…' },
  createChannels: {
    type: 1,
    name: 'first',
    key: 'sk-0123456789',
    models: 'gpt-4o,gpt-4o-mini',
    group: 'default',
  },
  createToken: { name: 'mine', unlimited_quota: true, expired_time: -1 },
  createRedemptions: { name: 'spring', quota: 500_000, count: 10, expired_time: 1_893_456_000 },
  editUser: { id: 2, quota: 5_000_000 },
  manageUser: { id: 2, action: 'disable' },
  saveOption: { key: 'SystemName', value: 'Gate' },
  comparePrices: { url: 'https://openrouter.ai/api/v1/models' },
}
