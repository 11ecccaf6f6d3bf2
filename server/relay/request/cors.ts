/** Browsers may call models from any page: what proves the caller is a key, and never a cookie. */
export function allowAnyPage(headers: Headers): void {
  headers.set('access-control-allow-origin', '*')
  headers.set('access-control-expose-headers', '*')
}

export function preflight(request: Request): Response {
  const wanted = request.headers.get('access-control-request-headers')
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': wanted ?? '*',
      'access-control-max-age': '86400',
    },
  })
}
