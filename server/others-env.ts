/** What one-api, new-api and LiteLLM read from the environment, and what says the same here. */

import type { SettingKey } from '../contract/settings/index.ts'

type Source = Readonly<Record<string, string | undefined>>

/** Another variable of ours; whoever has set that already needs to hear nothing. */
const variables: Readonly<Record<string, string>> = {
  REDIS_CONN_STRING: 'REDIS_URL',
  REDIS_HOST: 'REDIS_URL',
  SESSION_SECRET: 'SECRET_KEY',
  CRYPTO_SECRET: 'SECRET_KEY',
  NUM_WORKERS: 'WORKERS',
}

/** Settings of the console, by their keys. */
const settings: Readonly<Record<string, SettingKey>> = {
  GLOBAL_API_RATE_LIMIT: 'GlobalApiRateLimit',
  GLOBAL_WEB_RATE_LIMIT: 'GlobalWebRateLimit',
  CRITICAL_RATE_LIMIT: 'CriticalRateLimit',
  SEARCH_RATE_LIMIT: 'SearchRateLimit',
  RELAY_TIMEOUT: 'UpstreamAnswerSeconds',
  STREAMING_TIMEOUT: 'UpstreamIdleSeconds',
  CHANNEL_TEST_FREQUENCY: 'ChannelTestMinutes',
  PROXY_BASE_URL: 'ServerAddress',
}

/** Neither: the sentence goes on behind "is not read here". */
const others: Readonly<Record<string, string>> = {
  LOG_SQL_DSN: 'the log is in the database of DATABASE_URL',
  RELAY_PROXY: 'each channel names its own proxy',
  LITELLM_MASTER_KEY: 'whoever called with it gets a token',
  LITELLM_SALT_KEY: '`import` alone wants it',
}

const olderDatabase =
  'DATABASE_URL names a database of this program’s own, and `import` takes over the older one'

/** Who moves in with an old environment is told what of it means nothing here. Values are never repeated. */
export function explainOthersEnv(source: Source): string[] {
  const isSet = (name: string): boolean => Boolean(source[name]?.trim())
  const notes: Record<string, string> = { ...others }
  if (!isSet('DATABASE_URL')) for (const name of ['SQL_DSN', 'SQLITE_PATH']) notes[name] = olderDatabase
  for (const [name, ours] of Object.entries(variables)) if (!isSet(ours)) notes[name] = `it is ${ours}`
  for (const [name, key] of Object.entries(settings)) notes[name] = `it is the setting ${key} in the console`
  return Object.keys(notes)
    .filter(isSet)
    .map(name => `${name} is not read here: ${notes[name]}`)
}
