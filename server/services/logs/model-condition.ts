import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { readModelText } from '../../../contract/model-text.ts'
import type { Engine } from '../../store/engine.ts'
import { contains } from '../../store/like.ts'

/** The rows of the models that a text means. */
export function isOfModel(text: string, engine?: Engine): RawBuilder<SqlBool> {
  const { name, isWhole } = readModelText(text)
  return isWhole ? sql<SqlBool>`model_name = ${name}` : contains('model_name', name, engine)
}
