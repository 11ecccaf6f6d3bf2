/** Headers every answer carries, and those of a page. */
export function setSecurityHeaders(headers: Headers, secure: boolean): void {
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'same-origin')
  if (secure) headers.set('strict-transport-security', 'max-age=31536000')
}

/** Where the captcha's script and frame come from. */
export const captchaHost = 'https://challenges.cloudflare.com'

/** Who else a page may take something from. */
export interface PageHosts {
  readonly scripts: readonly string[]
  readonly frames: readonly string[]
  /** Whom a page may only ask whether they are there. */
  readonly asked: readonly string[]
  /** Who may give a picture besides everybody who has TLS. */
  readonly pictures: readonly string[]
  /** Who may take a form besides everybody who has TLS. */
  readonly forms: readonly string[]
}

const nobody: PageHosts = { scripts: [], frames: [], asked: [], pictures: [], forms: [] }

/**
 * No script but our own files and those of the hosts that are named, no style but our own and what carries this
 * answer's nonce, no frame but those that are named; who gives a script may show a frame too.
 */
export function pagePolicy(
  nonce: string,
  { scripts, frames, asked, pictures, forms }: PageHosts = nobody,
): string {
  const framed = [...scripts, ...frames]
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    `style-src 'self' 'nonce-${nonce}'`,
    ["img-src 'self' data: https:", ...pictures].join(' '),
    "font-src 'self'",
    ["connect-src 'self'", ...asked].join(' '),
    `frame-src ${framed.length > 0 ? framed.join(' ') : "'none'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    ["form-action 'self' https:", ...forms].join(' '),
    "frame-ancestors 'self'",
  ].join('; ')
}

export function newNonce(): string {
  return crypto.randomUUID().replaceAll('-', '')
}
