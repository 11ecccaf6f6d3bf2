import type { Table } from '../rig/print-table.ts'
import { measurePeers } from './measure-plain.ts'

/** Other gateways that can be had from where the packages come from, beside this one. */
export const peersParts: Record<string, () => Promise<Table>> = { plain: measurePeers }
