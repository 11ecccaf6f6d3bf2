/** A file as it comes from its vendor, and never as a page of ours. */
export function asContent(
  response: Response,
  read?: (body: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>,
): Response {
  const headers = new Headers({
    'content-type': 'application/octet-stream',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  if (read && response.body) return new Response(read(response.body), { headers })
  const length = response.headers.get('content-length')
  if (length !== null && !response.headers.has('content-encoding')) headers.set('content-length', length)
  return new Response(response.body, { headers })
}
