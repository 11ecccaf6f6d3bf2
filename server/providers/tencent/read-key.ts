/** What is joined in a key of the old platform, `AppId|SecretId|SecretKey`; or one key of the new. */
export type TencentKey =
  | { readonly kind: 'triple'; readonly secretId: string; readonly secretKey: string }
  | { readonly kind: 'bearer'; readonly apiKey: string }

export function readKey(key: string): TencentKey {
  const parts = key.split('|').map(part => part.trim())
  const [first = '', secretId = '', secretKey = ''] = parts
  return parts.length < 3 ? { kind: 'bearer', apiKey: first } : { kind: 'triple', secretId, secretKey }
}
