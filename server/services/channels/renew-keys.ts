import { channelStatuses } from '../../../contract/channels.ts'
import { log } from '../../log.ts'
import { providerOf, providers } from '../../providers/index.ts'
import { signingTools } from '../../providers/signing-tools.ts'
import { lockedOn } from '../../store/lock-rows.ts'
import { isUnavailable } from '../../store/store-error.ts'
import type { App } from '../app.ts'
import { countAttempt } from '../throttle.ts'
import { enableAgain } from './enable-again.ts'
import { hashKey, openKey, sealKey } from './key.ts'
import { proxyOf } from './upstream-request.ts'

/** After a failure it is tried again, and not before: nobody knows whether the token was taken. */
const AGAIN_SECONDS = 600

const STORE_AGAIN_MS = 1000

const types = providers.filter(({ renewal }) => renewal).map(({ type }) => type)

/**
 * Exchanges tokens that end soon. A refresh token can be used once, by one of all processes: who may is decided in
 * the database, and the new pair is there before anybody uses it, because keys are read from there alone.
 */
export async function renewKeys(app: App, signal: AbortSignal): Promise<void> {
  const rows = await app.store.db
    .selectFrom('channels')
    .select(['id', 'type', 'base_url', 'setting', 'key_sealed'])
    .where('type', 'in', types)
    .where('status', '!=', channelStatuses.disabledByHand)
    .execute()
  for (const row of rows) {
    if (signal.aborted) return
    await renewOne(app, row).catch(error =>
      log.warn('the tokens of a channel could not be renewed; it is tried again', { channel: row.id, error }),
    )
  }
}

interface Renewed {
  readonly id: number
  readonly type: number
  readonly base_url: string | null
  readonly setting: string | null
  readonly key_sealed: string
}

async function renewOne(app: App, row: Renewed): Promise<void> {
  const { store, outbound } = app
  const provider = providerOf(row.type)
  const key = openKey(store, row)
  if (!provider?.renewal?.isDue(key, app.now())) return
  const claim = `renew-key:${hashKey(store, key)}`
  if ((await countAttempt(app, claim, AGAIN_SECONDS)) !== 1) return
  const tools = signingTools(outbound, proxyOf(row.setting))
  const renewed = await provider.renewal.renew(key, row.base_url || provider.baseUrl, tools)
  await untilStored(row.id, () =>
    store.change('channels', async transaction => {
      const now = await transaction
        .selectFrom('channels')
        .select(['id', 'key_sealed'])
        .where('id', '=', row.id)
        .$call(lockedOn(store.engine))
        .executeTakeFirst()
      // Who has entered another key meanwhile means that one. The same may have been sealed anew.
      if (!now || openKey(store, now) !== key) return
      await transaction
        .updateTable('channels')
        .set({ key_sealed: sealKey(store, row.id, renewed), key_hash: hashKey(store, renewed) })
        .where('id', '=', row.id)
        .execute()
    }),
  )
  // What was refused is replaced: who was taken out of service for it comes back.
  await enableAgain(app, row.id)
}

/**
 * The vendor has taken the old pair back, and the new one is here alone: a database that is away is waited for. Nobody
 * else asks with the old one meanwhile, since who may is decided there too.
 */
async function untilStored(channel: number, store: () => Promise<void>): Promise<void> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await store()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      if (!isTold) log.error('new tokens of a channel wait for the database', { channel, error })
      await Bun.sleep(STORE_AGAIN_MS)
    }
  }
}
