/** Shorter answers cost more to squeeze than to send. */
const WORTH_IT = 2048

/** The body of a JSON answer, gzipped when the caller takes that and it is long enough to matter. */
export function squeeze(text: string, request: Request): { body: BodyInit; headers: Record<string, string> } {
  const accepted = request.headers.get('accept-encoding')
  if (text.length < WORTH_IT || !accepted || !/\bgzip\b/.test(accepted)) return { body: text, headers: {} }
  return {
    body: Bun.gzipSync(Buffer.from(text), { level: 5 }),
    headers: { 'content-encoding': 'gzip', vary: 'accept-encoding' },
  }
}
