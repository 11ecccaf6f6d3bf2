import type { Table } from '../rig/print-table.ts'
import { measureAlone } from './measure-alone.ts'
import { measureConvert } from './measure-convert.ts'
import { measureIdle } from './measure-idle.ts'
import { measureLarge } from './measure-large.ts'
import { measurePlain } from './measure-plain.ts'
import { measurePostgres } from './measure-postgres.ts'
import { measureStreams } from './measure-streams.ts'

/** What the relay costs, beside a bare proxy and the least that this runtime can do. */
export const relayParts: Record<string, () => Promise<Table>> = {
  plain: measurePlain,
  alone: measureAlone,
  streams: measureStreams,
  convert: measureConvert,
  idle: measureIdle,
  large: measureLarge,
  postgres: measurePostgres,
}
