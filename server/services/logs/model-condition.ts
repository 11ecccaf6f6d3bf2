import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { readModelText } from '../../../contract/model-text.ts'
import type { Engine } from '../../store/engine.ts'
import { beginsWith, contains, endsWith } from '../../store/like.ts'

/** The rows of the models that a text means. */
export function isOfModel(text: string, engine?: Engine): RawBuilder<SqlBool> {
  const { name, by } = readModelText(text)
  if (by === 'whole') return sql<SqlBool>`model_name = ${name}`
  const holds = by === 'part' ? contains : by === 'beginning' ? beginsWith : endsWith
  return holds('model_name', name, engine)
}

interface Models {
  readonly engine: Engine
  readonly modelName: string
  readonly modelNames?: readonly string[]
}

/** The same, by the names themselves where they are known: most of what a look costs is to look into texts. */
export function isOneOfModels({ engine, modelName, modelNames }: Models): RawBuilder<SqlBool> {
  return modelNames ? sql<SqlBool>`model_name in (${sql.join(modelNames)})` : isOfModel(modelName, engine)
}
