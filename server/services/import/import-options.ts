import { SettingError } from '../../../contract/settings/define.ts'
import { isSettingKey, type SettingKey, settings } from '../../../contract/settings/index.ts'
import type { ForeignRow } from '../../store/foreign-database.ts'
import { parseObject } from '../channels/read-fields.ts'
import { storedValue } from '../options.ts'
import { type ImportRun, isFirst } from './import-run.ts'
import { isPanel, readPanel } from './read-panel.ts'

/** Those that have another name here. */
const renamed: Readonly<Record<string, SettingKey>> = {
  'checkin_setting.enabled': 'CheckinEnabled',
  'checkin_setting.min_quota': 'CheckinMinQuota',
  'checkin_setting.max_quota': 'CheckinMaxQuota',
  'console_setting.announcements': 'Announcements',
  'console_setting.announcements_enabled': 'AnnouncementsEnabled',
  'console_setting.api_info': 'ApiInfo',
  'console_setting.api_info_enabled': 'ApiInfoEnabled',
  'console_setting.faq': 'FAQ',
  'console_setting.faq_enabled': 'FAQEnabled',
  'console_setting.uptime_kuma_enabled': 'UptimeKumaEnabled',
  'console_setting.uptime_kuma_groups': 'UptimeKumaGroups',
  'discord.enabled': 'DiscordOAuthEnabled',
  'discord.client_id': 'DiscordClientId',
  'discord.client_secret': 'DiscordClientSecret',
  'legal.user_agreement': 'UserAgreement',
  'legal.privacy_policy': 'PrivacyPolicy',
  'oidc.enabled': 'OIDCEnabled',
  'oidc.client_id': 'OIDCClientId',
  'oidc.client_secret': 'OIDCClientSecret',
  'oidc.well_known': 'OIDCIssuer',
}

/** The provider of single sign-on whose ids the users have, as far as these rows tell; as it is called here. */
export function issuerOf(rows: readonly ForeignRow[]): string | undefined {
  const found = rows.find(({ key }) => key === 'oidc.well_known')?.value
  if (typeof found !== 'string') return undefined
  try {
    return settings.OIDCIssuer.decode(found)
  } catch (error) {
    if (error instanceof SettingError) return undefined
    throw error
  }
}

/** Settings that exist here too, if their values are ones that could be saved here. */
export async function importOptions(run: ImportRun, rows: readonly ForeignRow[]): Promise<void> {
  const { store, transaction, report, now } = run
  const told = new Map(rows.map(({ key, value }) => [key, value]))
  for (const [key, note] of Object.entries(notHere)) if (isOn(told, key)) report.note(note)
  for (const model of rows.flatMap(pricedByExpression))
    report.note(`model ${model}: its price is an expression there, and does not come; enter one here`)
  const came = [...rows, ...testsOf(told)].flatMap(({ key: given, value }) => {
    const key = renamed[String(given)] ?? given
    if (typeof key !== 'string' || typeof value !== 'string' || !isSettingKey(key)) return []
    const encoded = readValue(run, key, value)
    if (encoded === undefined || !isFirst(run, 'option', key)) return []
    return { key, value: storedValue(store, key, encoded), updated_at: now }
  })
  if (came.length === 0) return
  await transaction.insertInto('options').values(came).execute()
  report.add('settings', came.length)
}

/** What somebody may rely on and would not miss before it is too late. */
const notHere: Readonly<Record<string, string>> = {
  ModelRequestRateLimitEnabled:
    'limits of requests for each user: did not come; here they are set for a user, a token or a whole group (GroupLimits)',
  SelfUseModeEnabled:
    'self-use mode: models without a price are refused here, unless DefaultModelRatio gives them one',
}

const USUAL_MINUTES = 10

/** A switch and a number there, which may be part of a minute, are one number here. */
function testsOf(told: ReadonlyMap<unknown, unknown>): readonly ForeignRow[] {
  if (!isOn(told, 'monitor_setting.auto_test_channel_enabled')) return []
  const minutes = Number(told.get('monitor_setting.auto_test_channel_minutes') || USUAL_MINUTES)
  return [{ key: 'ChannelTestMinutes', value: String(Math.max(1, Math.round(minutes))) }]
}

/** The newest of them reckon what some models cost by a line of code, and then have no ratio for them. */
function pricedByExpression({ key, value }: ForeignRow): readonly string[] {
  if (typeof key !== 'string' || typeof value !== 'string' || !/billing_?mode$/i.test(key)) return []
  const modes = Object.entries(parseObject(value) ?? {})
  return modes.flatMap(([model, mode]) => (mode === 'tiered_expr' ? [model] : []))
}

function isOn(told: ReadonlyMap<unknown, unknown>, key: string): boolean {
  return told.get(key) === 'true'
}

function readValue({ report }: ImportRun, key: SettingKey, text: string): string | undefined {
  const setting = settings[key]
  try {
    const given = isPanel(key) ? readPanel(key, text, report) : text
    return (setting.encode as (value: unknown) => string)(setting.decode(given))
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    report.note(`setting ${key}: left as it is here: ${error.message}`)
    return undefined
  }
}
