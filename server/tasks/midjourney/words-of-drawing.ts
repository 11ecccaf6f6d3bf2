import { parseObject } from '../../dialects/json.ts'
import type { Reading } from '../../relay/guards/read-request.ts'
import type { DrawingReport, TaskReport } from '../define.ts'
import { wordsIn } from '../task-words.ts'
import { actions } from './actions.ts'

/** To describe a picture, or to shorten a prompt, is to write; what the others repeat was read when it was asked for. */
export function wordsOfDrawing(action: string, report: TaskReport): Reading<TaskReport> {
  const writes = action === actions.describe || action === actions.shorten
  if (!writes || !report.drawing) return { places: () => [], written: () => report }
  const drawing: { -readonly [Name in keyof DrawingReport]: DrawingReport[Name] } = { ...report.drawing }
  const { prompt_en = '', description = '' } = drawing
  const properties = parseObject(drawing.properties ?? '')
  return {
    places: () => [
      {
        text: prompt_en,
        put(text) {
          drawing.prompt_en = text
        },
      },
      {
        text: description,
        put(text) {
          drawing.description = text
        },
      },
      ...(properties ? wordsIn(properties) : []),
    ],
    written(isChanged) {
      if (!isChanged) return report
      if (properties) drawing.properties = JSON.stringify(properties)
      return { ...report, drawing }
    },
  }
}
