/** A key of the second API, `bce-v3/…`, with an application after a bar where there is one; or the old pair. */
export type BaiduKey =
  | { readonly kind: 'bearer'; readonly apiKey: string; readonly appId: string | undefined }
  | { readonly kind: 'pair'; readonly apiKey: string; readonly secretKey: string }

export function readKey(key: string): BaiduKey {
  const [first = '', second = ''] = key.split('|').map(part => part.trim())
  if (first.startsWith('bce-v3/') || second === '')
    return { kind: 'bearer', apiKey: first, appId: second || undefined }
  return { kind: 'pair', apiKey: first, secretKey: second }
}
