/** Headers every answer carries, and those of a page. */
export function setSecurityHeaders(headers: Headers, secure: boolean): void {
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'same-origin')
  if (secure) headers.set('strict-transport-security', 'max-age=31536000')
}

/** No script but our own files, no style but our own and what carries this answer's nonce. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    "font-src 'self'",
    "connect-src 'self'",
    'frame-src https: http:',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self' https:",
    "frame-ancestors 'self'",
  ].join('; ')
}

export function newNonce(): string {
  return crypto.randomUUID().replaceAll('-', '')
}
