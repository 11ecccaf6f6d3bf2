import type { Engine } from '../services/databases.ts'
import { type House, openHouse } from './house.ts'
import { startTcpProxy } from './tcp-proxy.ts'

type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>

/** Runs with a house whose database can also be reached through a proxy, for programs whose line is to be spoilt. */
export async function withProxiedHouse(
  engine: Engine,
  work: (parts: { house: House; proxy: TcpProxy; proxied: string }) => Promise<void>,
): Promise<void> {
  const direct = await engine.freshUrl()
  const url = new URL(direct)
  const proxy = await startTcpProxy(Number(url.port))
  url.port = String(proxy.port)
  const house = await openHouse(direct)
  try {
    await work({ house, proxy, proxied: url.href })
  } finally {
    await house.close()
    await proxy.close()
  }
}
