import { refuseField } from '../../dialects/refuse.ts'

const VERSION = 'v\\d+(?:\\.\\d+)?(?:(?:alpha|beta)\\d*)?'
const versionAtEnd = new RegExp(`/${VERSION}$`)
const cloudflareGateway = /^https:\/\/gateway\.ai\.cloudflare\.com\/v1\/[^/]+\/[^/]+\/(openai|compat)$/
const throughVersion = new RegExp(`^(?:/[^/?]+)*?/${VERSION}(?=[/?]|$)`)

/**
 * Operators give a base URL with or without its version. One that ends in a version has chosen it, so what a
 * path has up to its own version falls away: `/api/coding/paas/v4` + `/api/paas/v4/chat/completions`.
 */
export function joinUrl(baseUrl: string, path: string): string {
  if (isWholeUrl(path)) return path
  const base = tidyBase(baseUrl)
  const rest = path.startsWith('/') ? path : `/${path}`
  return endsBeforeCalls(base) ? base + rest.replace(throughVersion, '') : base + rest
}

/**
 * Whether the calls stand right behind it, without a version of their own: also where vendors have OpenAI's words
 * beside their own (Google's `/v1beta/openai`), and at Cloudflare's gateway, where that is all of its address.
 */
export function endsBeforeCalls(baseUrl: string): boolean {
  return (
    endsInVersion(baseUrl) ||
    (baseUrl.endsWith('/openai') && endsInVersion(baseUrl.slice(0, -'/openai'.length))) ||
    cloudflareGateway.test(baseUrl)
  )
}

export function endsInVersion(baseUrl: string): boolean {
  const start = startOfPath(baseUrl)
  return start >= 0 && versionAtEnd.test(baseUrl.slice(start))
}

/** Whether anything follows the host but a slash. */
export function hasPath(baseUrl: string): boolean {
  const base = tidyBase(baseUrl)
  return startOfPath(base) >= 0 || base.includes('?')
}

/** Stays one segment of a path, whatever is in it. */
export function encodeSegment(name: string): string {
  // A URL parser takes dots as steps even when they are percent-encoded.
  if (name === '' || name === '.' || name === '..') refuseField('model', 'field.model-in-address')
  return encodeURIComponent(name.toWellFormed())
}

export function fillModel(url: string, model: string): string {
  return url.includes('{model}') ? url.replaceAll('{model}', () => encodeSegment(model)) : url
}

function isWholeUrl(path: string): boolean {
  return path.startsWith('https://') || path.startsWith('http://')
}

function startOfPath(url: string): number {
  const scheme = url.indexOf('://')
  return url.indexOf('/', scheme < 0 ? 0 : scheme + 3)
}

function tidyBase(baseUrl: string): string {
  let end = baseUrl.length
  while (end > 0 && baseUrl[end - 1] === '/') end--
  const base = end === baseUrl.length ? baseUrl : baseUrl.slice(0, end)
  const start = startOfPath(base)
  if (start < 0 || !base.includes('//', start)) return base
  return base.slice(0, start) + base.slice(start).replace(/\/{2,}/g, '/')
}
