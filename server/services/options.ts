import type { Transaction } from 'kysely'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Endpoints } from '../../contract/index.ts'
import type { Language } from '../../contract/language.ts'
import type { Setting } from '../../contract/settings/define.ts'
import { KEPT_SECRET, LONGEST_SECRET, SettingError } from '../../contract/settings/define.ts'
import {
  isSettingKey,
  type SettingKey,
  type SettingValues,
  settingKeys,
  settings,
} from '../../contract/settings/index.ts'
import { sections } from '../../contract/settings/sections.ts'
import { AppError } from '../errors.ts'
import { hideInAddress, type NamedAddress, restoreAmong } from '../outbound/credentials.ts'
import type { Store } from '../store/index.ts'
import { lockedOn } from '../store/lock-rows.ts'
import type { Schema } from '../store/schema.ts'
import { optionPlace } from '../store/settings-snapshot.ts'
import { putRow } from '../store/upsert.ts'
import type { App } from './app.ts'
import { type AuditEvent, recordAudit } from './audit-record.ts'
import type { CallOf, Handlers } from './call.ts'
import { sendTestMail } from './mail/test-mail.ts'
import { builtInMaps, modelRatioReset, pricesInForce, resetModelRatio } from './model-prices.ts'
import { sendTestNews } from './notices/test-news.ts'
import { refuseClash } from './refuse-clash.ts'
import { testPage } from './uptime/read-page.ts'

interface Prerequisite {
  readonly error: ErrorCode
  met(values: SettingValues, value: unknown): boolean
}

/** Settings that make no sense beside what others are, and what is said then. */
const prerequisites: { readonly [key in SettingKey]?: Prerequisite } = {
  GitHubOAuthEnabled: {
    error: 'option.github-first',
    met: values => values.GitHubClientId !== '' && values.GitHubClientSecret !== '',
  },
  DiscordOAuthEnabled: {
    error: 'option.discord-first',
    met: values =>
      values.DiscordClientId !== '' && values.DiscordClientSecret !== '' && values.ServerAddress !== '',
  },
  LinuxDOOAuthEnabled: {
    error: 'option.linuxdo-first',
    met: values => values.LinuxDOClientId !== '' && values.LinuxDOClientSecret !== '',
  },
  OIDCEnabled: {
    error: 'option.oidc-first',
    met: values => values.OIDCIssuer !== '' && values.OIDCClientId !== '' && values.ServerAddress !== '',
  },
  WeChatAuthEnabled: {
    error: 'option.wechat-first',
    met: values => values.WeChatServerAddress !== '' && values.WeChatServerToken !== '',
  },
  TelegramOAuthEnabled: {
    error: 'option.telegram-first',
    met: values => values.TelegramBotToken !== '' && values.TelegramBotName !== '',
  },
  TurnstileCheckEnabled: {
    error: 'option.turnstile-first',
    met: values => values.TurnstileSiteKey !== '' && values.TurnstileSecretKey !== '',
  },
  EmailDomainRestrictionEnabled: {
    error: 'option.whitelist-first',
    met: values => values.EmailDomainWhitelist.length > 0,
  },
  StripeApiSecret: { error: 'option.payment-first', met: values => values.ServerAddress !== '' },
  CheckinMinQuota: {
    error: 'option.checkin-range',
    met: (values, value) => Number(value) <= values.CheckinMaxQuota,
  },
  CheckinMaxQuota: {
    error: 'option.checkin-range',
    met: (values, value) => Number(value) >= values.CheckinMinQuota,
  },
  LogS3Enabled: {
    error: 'log.s3-first',
    met: values =>
      values.LogS3Endpoint !== '' &&
      values.LogS3Bucket !== '' &&
      values.LogS3AccessKeyId !== '' &&
      values.LogS3SecretKey !== '',
  },
  LogWebhookEnabled: { error: 'log.webhook-first', met: values => values.LogWebhookUrl !== '' },
  PayAddress: { error: 'option.payment-first', met: values => values.ServerAddress !== '' },
}

type OptionHandlers = Handlers<
  | 'listOptions'
  | 'saveOption'
  | 'resetModelRatio'
  | 'builtInPrices'
  | 'testMail'
  | 'testNews'
  | 'testStatusPage'
>

export function optionHandlers(app: App): OptionHandlers {
  const shownPrices = pricesInForce(app)
  return {
    async listOptions() {
      // What is edited from here on is compared with what is stored: nobody is to begin from what is over.
      await app.settings.refresh()
      const values = app.settings.all
      const prices = shownPrices()
      const readable = settingKeys.filter(key => !settings[key].secret)
      return {
        success: true,
        message: '',
        data: readable.map(key => ({
          key,
          value: prices.get(key) ?? shownText(definition(key), values[key]),
          revision: revisionOf(app, key, app.settings.storedText(key)),
        })),
        secrets_set: settingKeys.filter(key => settings[key].secret && values[key] !== ''),
      }
    },
    saveOption: call => saveOption(app, call),
    testMail: call => sendTestMail(app, call),
    testNews: call => sendTestNews(app, call),
    testStatusPage: ({ body }) => testPage(app, body),
    builtInPrices: builtInMaps,
    async resetModelRatio(call) {
      await resetModelRatio(app, call)
      return { success: true, message: modelRatioReset[call.language], data: null }
    },
  }
}

/** Checks a value, then stores it and puts it in force everywhere. Nothing is stored that was refused. */
async function saveOption(app: App, call: CallOf<Endpoints['saveOption']>): Promise<{ revision?: string }> {
  const { key, revision } = call.body
  if (!isSettingKey(key)) throw new AppError('option.unknown', { key })
  const setting = definition(key)
  const given = decode(key, setting, String(call.body.value), call.language)
  // Another worker may just have stored what this depends on.
  await app.settings.refresh()
  const value = withKeptSecrets(app, key, withKeptPasswords(app, key, given, call.language))
  checkBeside(app.settings.all, key, value, call.language)
  const encoded = setting.encode(value)
  const stored = storedValue(app.store, key, encoded)
  await app.store.change('options', async transaction => {
    if (revision !== undefined) await refuseEdited(app, transaction, key, { revision, stored })
    await putRow(transaction, app.store.engine, 'options', { key }, { value: stored, updated_at: app.now() })
    const before = shownValue(setting, app.settings.all[key])
    const after = shownValue(setting, value)
    const event: AuditEvent = { action: 'option.save', subject: `option:${key}`, before, after }
    await recordAudit(app, call, event, transaction)
  })
  return setting.secret ? {} : { revision: revisionOf(app, key, stored) }
}

/**
 * A short name for what is stored of a setting, and of nothing else: how one map of prices is shown depends on the
 * others, and who saves one after the other must not be refused for that.
 */
function revisionOf({ store }: Pick<App, 'store'>, key: SettingKey, stored: string | undefined): string {
  return store.cipher.hash('option', JSON.stringify([key, stored ?? null])).slice(0, 16)
}

interface Edit {
  readonly revision: string
  readonly stored: string
}

/** Whoever began from something else than what is stored is not to write over it unseen. */
async function refuseEdited(
  app: App,
  transaction: Transaction<Schema>,
  key: SettingKey,
  { revision, stored }: Edit,
): Promise<void> {
  const found = await transaction
    .selectFrom('options')
    .select('value')
    .where('key', '=', key)
    .$call(lockedOn(app.store.engine))
    .executeTakeFirst()
  // An answer that was lost on its way is no reason to refuse the same again.
  if (found?.value === stored) return
  if (revisionOf(app, key, found?.value) !== revision) throw new AppError('option.edited')
  if (found) return
  // What is not there cannot be locked: of several that begin from nothing the first to write it is the one.
  const row = { key, value: stored, updated_at: app.now() }
  await refuseClash(transaction.insertInto('options').values(row).execute(), 'option.edited')
}

/** Whether a value goes with what the others are, and leaves those in use what they need. */
function checkBeside(now: SettingValues, key: SettingKey, value: unknown, language: Language): void {
  const rule = prerequisites[key]
  if (rule && isUsed(value) && !rule.met(now, value)) throw new AppError(rule.error)
  const then = { ...now, [key]: value }
  for (const other of settingKeys) {
    const needed = other === key ? undefined : prerequisites[other]
    // One that lacks something already is no reason to refuse anything.
    if (needed && isUsed(now[other]) && needed.met(now, now[other]) && !needed.met(then, now[other]))
      throw new AppError('option.needed', { setting: placeOf(settings[other], language) })
  }
}

function placeOf({ section, label }: Pick<Setting, 'section' | 'label'>, language: Language): string {
  return `${sections[section][language]} · ${label[language]}`
}

function isUsed(value: unknown): boolean {
  return value !== false && value !== ''
}

/** The value with those of its secrets that were only shown as kept. They belong to what they were given for. */
function withKeptSecrets(app: App, key: SettingKey, given: unknown): unknown {
  const { changeSecrets } = definition(key)
  if (!changeSecrets) return given
  const known = new Map<string, string>()
  changeSecrets(app.settings.all[key], (secret, of) => {
    known.set(of, secret)
    return secret
  })
  return changeSecrets(given, (secret, of) => {
    if (secret.length > LONGEST_SECRET) throw new AppError('option.long-secret', { most: LONGEST_SECRET, of })
    if (secret !== KEPT_SECRET) return secret
    const kept = known.get(of)
    if (kept === undefined) throw new AppError('option.lost-secret', { of })
    return kept
  })
}

/** The value with addresses as they are meant: passwords in them come back for the host that they were given for. */
function withKeptPasswords(app: App, key: SettingKey, given: unknown, language: Language): unknown {
  const { changeAddresses, label } = definition(key)
  if (!changeAddresses) return given
  const known: NamedAddress[] = []
  changeAddresses(app.settings.all[key], (address, of) => {
    known.push({ of, address })
    return address
  })
  let at = 0
  return changeAddresses(given, (address, of) => {
    const restored = restoreAmong({ of, address }, known, at++)
    if (restored === undefined) throw new AppError('option.lost-secret', { of: of || label[language] })
    return restored
  })
}

/** As it is kept: secrets are sealed. */
export function storedValue({ cipher }: Pick<Store, 'cipher'>, key: SettingKey, encoded: string): string {
  const { secret, changeSecrets, decode, encode } = definition(key)
  const seal = (plain: string): string => (plain === '' ? '' : cipher.seal(optionPlace(key), plain))
  if (secret) return seal(encoded)
  return changeSecrets ? encode(changeSecrets(decode(encoded), seal)) : encoded
}

/** Of a secret it is recorded that it was set, and never what to. */
function shownValue(setting: Setting, value: unknown): { value: string } {
  const text = shownText(setting, value)
  return { value: setting.secret && text !== '' ? KEPT_SECRET : text }
}

/** As it is shown: of a value that has secrets in it, or addresses with passwords, these are not. */
function shownText({ encode, changeSecrets, changeAddresses }: Setting, value: unknown): string {
  const masked = changeSecrets ? changeSecrets(value, () => KEPT_SECRET) : value
  return encode(changeAddresses ? changeAddresses(masked, hideInAddress) : masked)
}

function definition(key: SettingKey): Setting {
  return settings[key] as Setting
}

function decode(key: string, setting: Setting, text: string, language: Language): unknown {
  try {
    return setting.decode(text)
  } catch (error) {
    if (error instanceof SettingError)
      throw new AppError(error.code, { key, detail: error.detail[language], ...error.params }, error)
    throw error
  }
}
