import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Endpoints } from '../../../contract/index.ts'
import { AppError } from '../../errors.ts'
import { providerOf } from '../../providers/index.ts'
import type { App } from '../app.ts'
import { proxyOf } from '../channels/upstream-request.ts'
import { gatewayBase, type Source } from './fetch-list.ts'

const CUSTOM = 8
const MOST_CHANNELS = 500

/**
 * Channels that may lead to a gateway: those with another address than their vendor's. Of those at one address the
 * first stands for all.
 */
export async function listChannels({ store }: App): Promise<OutputOf<Endpoints['priceSources']>> {
  const rows = await store.db
    .selectFrom('channels')
    .select(['id', 'name', 'type', 'base_url'])
    .where('base_url', 'is not', null)
    .where('base_url', '!=', '')
    .orderBy('status')
    .orderBy('id')
    .execute()
  const byAddress = new Map<string, { id: number; name: string; base_url: string }>()
  for (const { id, name, type, base_url } of rows) {
    const address = gatewayAddress(type, base_url)
    if (address !== undefined && !byAddress.has(address))
      byAddress.set(address, { id, name, base_url: address })
  }
  return [...byAddress.values()].slice(0, MOST_CHANNELS)
}

export async function sourceOfChannel({ store }: App, id: number): Promise<Source> {
  const row = await store.db
    .selectFrom('channels')
    .select(['type', 'base_url', 'setting'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new AppError('row.not-found')
  const url = gatewayAddress(row.type, row.base_url)
  if (url === undefined) throw new AppError('price-source.no-address')
  return { url, isGateway: true, proxy: proxyOf(row.setting) }
}

/** Where a channel's gateway is, if it can be one: types that have no vendor's address are other software. */
function gatewayAddress(type: number, baseUrl: string | null): string | undefined {
  const url = URL.parse((baseUrl ?? '').trim())
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const vendor = URL.parse(providerOf(type)?.baseUrl ?? '')
  const isOther = vendor ? vendor.hostname !== 'localhost' && vendor.origin !== url.origin : type === CUSTOM
  return isOther ? gatewayBase(url) : undefined
}
