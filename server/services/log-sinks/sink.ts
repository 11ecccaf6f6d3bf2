import type { LogSink } from '../../../contract/log-sinks.ts'
import type { Settings } from '../../store/settings-snapshot.ts'
import type { App } from '../app.ts'
import { s3 } from './s3.ts'
import { webhook } from './webhook.ts'

export type Parts = Pick<App, 'store' | 'settings' | 'outbound' | 'now'>

/** Rows of the log that go out together. */
export interface Batch {
  /** The numbers it covers, of which some may be nobody's or not wanted. The next one begins where it ends. */
  readonly from: number
  readonly to: number
  /** When its first row was written, in seconds since 1970. */
  readonly at: number
  /** A row as JSON each, in the order of their numbers. */
  readonly lines: readonly string[]
}

/** A place outside to which the log is delivered. */
export interface Sink {
  readonly name: LogSink
  readonly mostRows: number
  /** Of JSON; a single row may be longer. */
  readonly mostBytes: number
  isOn(settings: Settings): boolean
  /** How many seconds rows wait for others that go with them. */
  secondsToWait(settings: Settings): number
  /** Resolves once it has arrived; the same batch may come again, and is then the same to whoever gets it. */
  send(app: Parts, batch: Batch, signal: AbortSignal): Promise<void>
  /** With the settings as they are, whether or not it is on. */
  test(app: Parts): Promise<void>
}

export const sinks: Readonly<Record<LogSink, Sink>> = { s3, webhook }

export const allSinks: readonly Sink[] = Object.values(sinks)
