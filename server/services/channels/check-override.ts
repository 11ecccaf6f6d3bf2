import { readHeaderRules } from '../../../contract/override/headers.ts'
import { hasOperations, OperationFault, readOperations } from '../../../contract/override/read-operations.ts'
import { AppError } from '../../errors.ts'

/** Refuses what would be saved, shown and never obeyed, and names the place. */
export function checkOverride(setting: object): void {
  const { param_override, header_override } = setting as Readonly<Record<string, unknown>>
  if (isObject(param_override) && hasOperations(param_override)) checkOperations(param_override)
  if (!isObject(header_override)) return
  readHeaderRules({ ...header_override }, name => {
    throw new AppError('channel.header-override', { name: name.slice(0, 60) })
  })
}

function checkOperations(override: { readonly operations: unknown }): void {
  try {
    readOperations(override)
  } catch (error) {
    if (!(error instanceof OperationFault)) throw error
    throw new AppError(`channel.override-${error.why}`, { at: error.at, detail: error.detail })
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
