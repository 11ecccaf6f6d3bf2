import { AppError } from '../errors.ts'

/** What is wrong with a field of a request, said to its sender. */
export function refuseField(field: string, detail: string): never {
  throw new AppError('dialect.field', { field, detail })
}

/** What a dialect cannot say, and must not be lost: another channel may be able to. */
export function refuseFeature(feature: string): never {
  throw new AppError('dialect.unsupported', { feature })
}
