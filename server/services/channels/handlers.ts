import type { channelEndpoints } from '../../../contract/channels.ts'
import { roles } from '../../../contract/users.ts'
import { AppError } from '../../errors.ts'
import type { ChannelTester } from '../../store/channel-tester.ts'
import type { App } from '../app.ts'
import type { BackgroundWork } from '../background-work.ts'
import type { Handlers } from '../call.ts'
import { KeptTotals } from '../kept-totals.ts'
import { readId } from '../row-id.ts'
import { updateBalance } from './balance.ts'
import { builtInModels, modelsByType } from './built-in-models.ts'
import { copyChannel, createChannels } from './create.ts'
import { endRests } from './end-rests.ts'
import { fetchModels, fetchModelsOf } from './fetch-models.ts'
import { fixAbilities } from './fix-abilities.ts'
import { listChannels } from './list.ts'
import { removeChannels, removeDisabled } from './remove.ts'
import { restsOf } from './rests.ts'
import { revealKey } from './reveal-key.ts'
import { editTag, switchChannels, switchTag, tagChannels } from './tags.ts'
import { CHANNEL_TEST, testAll, testOne } from './test.ts'
import { updateChannel } from './update.ts'
import { CHANNEL_BALANCE, updateBalances } from './update-balances.ts'
import { readUpstream } from './upstream-request.ts'
import { viewChannel, viewColumns } from './view.ts'

/** What administrators may begin, and so may stop. The rest is the super administrator's: clearing the log, closing months. */
const ofAdmins: ReadonlySet<string> = new Set([CHANNEL_TEST, CHANNEL_BALANCE])

export function channelHandlers(
  app: App,
  tester: ChannelTester,
  work: BackgroundWork,
): Handlers<keyof typeof channelEndpoints> {
  const totals = new KeptTotals(app.store.db, 'channels')
  return {
    listChannels: ({ query }) => listChannels(app, totals, query),
    searchChannels: ({ query }) => listChannels(app, totals, query, 'all-when-unpaged'),
    findChannels: ({ body }) => listChannels(app, totals, body, 'all-when-unpaged'),
    async getChannel({ params }) {
      const row = await app.store.db
        .selectFrom('channels')
        .select(viewColumns)
        .where('id', '=', readId(params))
        .executeTakeFirst()
      if (!row) throw new AppError('row.not-found')
      return viewChannel(row, (await restsOf(app, [row])).get(row.id))
    },

    createChannels: async call => ({ ids: await createChannels(app, call, call.body) }),
    copyChannel: async call => ({ id: await copyChannel(app, call, readId(call.params), call.query.suffix) }),
    updateChannel: call => updateChannel(app, call, call.body),
    async deleteChannel(call) {
      await removeChannels(app, call, [readId(call.params)])
    },
    deleteDisabledChannels: call => removeDisabled(app, call),
    deleteChannels: call => removeChannels(app, call, call.body.ids),

    switchChannels: call => switchChannels(app, call, call.body.ids, call.body.enable),
    tagChannels: call => tagChannels(app, call, call.body.ids, call.body.tag),
    editTag: call => editTag(app, call, call.body),
    enableTag: call => switchTag(app, call, call.body.tag, true),
    disableTag: call => switchTag(app, call, call.body.tag, false),
    fixAbilities: call => fixAbilities(app, call),

    channelModels: () => builtInModels,
    modelsByType: () => modelsByType,
    listGroups: () => Object.keys(app.settings.get('GroupRatio')),
    fetchChannelModels: async ({ params }) => fetchModels(app, await readUpstream(app, readId(params))),
    fetchModels: call => fetchModelsOf(app, call, call.body),

    testChannel: ({ params, query, language }) => testOne(app, tester, readId(params), query.model, language),
    async testAllChannels() {
      if (!(await testAll(app, tester, work))) throw new AppError('channel.test-running')
    },
    endChannelRest: ({ params }) => endRests(app, readId(params)),
    async updateBalance({ params }) {
      return { success: true, message: '', balance: (await updateBalance(app, readId(params))).balance }
    },
    async updateAllBalances() {
      if (!(await updateBalances(app, tester, work))) throw new AppError('channel.balance-running')
    },
    async listWork() {
      const rows = await work.list()
      return rows.map(row => ({
        name: row.name,
        total: row.total,
        done: row.done,
        failed: row.failed,
        started: row.started_at,
        ended: row.ended_at,
        running: work.isRunning(row),
        cancelled: row.cancelled !== 0,
      }))
    },
    async cancelWork({ body, caller }) {
      if (caller.role < roles.root && !ofAdmins.has(body.name)) throw new AppError('auth.role-too-low')
      if (!(await work.cancel(body.name))) throw new AppError('channel.work-unknown', { name: body.name })
    },

    async revealChannelKey({ params, body, caller, address, session }) {
      return {
        key: await revealKey(app, readId(params), { caller, address, session, password: body.password }),
      }
    },
  }
}
