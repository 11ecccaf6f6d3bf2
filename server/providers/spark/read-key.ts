/** `APPID|APISecret|APIKey`, which signs addresses; or one password, which is shown as it is. */
export type SparkKey =
  | { readonly kind: 'triple'; readonly appId: string; readonly apiSecret: string; readonly apiKey: string }
  | { readonly kind: 'password'; readonly password: string }

export function readKey(key: string): SparkKey {
  const [first = '', apiSecret = '', apiKey = ''] = key.split('|').map(part => part.trim())
  return apiKey === ''
    ? { kind: 'password', password: first }
    : { kind: 'triple', appId: first, apiSecret, apiKey }
}
