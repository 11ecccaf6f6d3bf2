/** Splits a `data:` URL; undefined when it is another kind of URL, or broken. */
export function splitDataUrl(
  url: string,
  fallbackType: string,
): { readonly data: string; readonly mediaType: string } | undefined {
  if (!isDataUrl(url)) return undefined
  const comma = url.indexOf(',')
  if (comma < 0) return undefined
  const head = url.slice(5, comma)
  const mediaType = (head.split(';', 1)[0] ?? '').trim().toLowerCase() || fallbackType
  const body = url.slice(comma + 1)
  if (head.toLowerCase().endsWith(';base64')) return { data: body, mediaType }
  try {
    return { data: Buffer.from(decodeURIComponent(body)).toString('base64'), mediaType }
  } catch {
    return undefined
  }
}

export function isDataUrl(url: string): boolean {
  return url.slice(0, 5).toLowerCase() === 'data:'
}

export function joinDataUrl(mediaType: string, data: string): string {
  return `data:${mediaType};base64,${data}`
}
