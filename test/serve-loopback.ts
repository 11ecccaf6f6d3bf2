/** Where a stand-in answers: on a port of the system's choosing, and what rests is never closed. */
export function serveLoopback(
  answer: (request: Request) => Response | Promise<Response>,
): Bun.Server<unknown> {
  return Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: answer })
}
