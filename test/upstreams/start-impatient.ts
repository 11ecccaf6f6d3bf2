import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands before a vendor, and closes a connection that was kept at the very moment of its next request. */
export async function startImpatient(vendorUrl: string) {
  const { hostname, port, host } = new URL(vendorUrl)
  const open = new Set<Socket>()
  let refused = 0
  const server = createServer(client => {
    const vendor = connect(Number(port), hostname)
    let hasAnswered = false
    client.on('data', bytes => {
      if (!hasAnswered) return vendor.write(forVendor(bytes))
      refused++
      client.resetAndDestroy()
      return false
    })
    vendor.on('data', bytes => {
      hasAnswered = true
      client.write(bytes)
    })
    for (const [one, other] of [
      [client, vendor],
      [vendor, client],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.end()
      })
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const own = `127.0.0.1:${(server.address() as AddressInfo).port}`
  // A vendor is strict about the name by which it is asked.
  const forVendor = (bytes: Buffer | string) =>
    Buffer.from(bytes.toString('latin1').replace(own, host), 'latin1')
  return {
    url: `http://${own}`,
    /** Requests over kept connections. */
    get refused() {
      return refused
    },
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}
