import type { Table } from '../rig/print-table.ts'
import { compareStreams, type Streamed, streamCells } from './compare-streams.ts'
import { judgeAtMost } from './judge.ts'
import { askAnthropic, askOpenai, FRAMES, models } from './requests.ts'
import { startStage } from './start-stage.ts'

const load = { concurrent: 64, seconds: 3, rounds: 3 }
const MOST_CPU = 3

/** Streams in other words than the upstream's, beside those that pass as they are. */
export async function measureConvert(): Promise<Table> {
  const stage = await startStage()
  const { gateway: server, key } = stage
  const streamed: Streamed[] = [
    { name: 'OpenAI as it is', server, ask: askOpenai(key, { stream: true }) },
    { name: 'Anthropic as it is', server, ask: askAnthropic(key, models.anthropic) },
    { name: 'Anthropic client, OpenAI upstream', server, ask: askAnthropic(key, models.openai) },
    {
      name: 'OpenAI client, Anthropic upstream',
      server,
      ask: askOpenai(key, { stream: true, model: models.anthropic }),
    },
  ]
  const costs = await compareStreams(streamed, load)
  await stage.stop()
  const [passing, , ...converted] = costs
  const against = (figure: number): number => figure / (passing?.microsecondsPerFrame ?? Number.NaN)
  return {
    title: `Converted streams of ${FRAMES} frames, one core, ${load.concurrent} at once, median of ${load.rounds} × ${load.seconds} s`,
    columns: ['', 'frames/s', 'core busy', 'CPU µs/frame', '× passing'],
    rows: costs.map(cost => [cost.name, ...streamCells(cost), against(cost.microsecondsPerFrame).toFixed(2)]),
    notes: converted.map(({ name, microsecondsPerFrame }) =>
      judgeAtMost(`CPU of ${name}`, against(microsecondsPerFrame), MOST_CPU, '× OpenAI as it is'),
    ),
  }
}
