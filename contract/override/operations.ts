import type { HeaderName } from './headers.ts'
import type { Path } from './path.ts'
import type { Pattern } from './pattern.ts'

export const textModes = ['trim_prefix', 'trim_suffix', 'ensure_prefix', 'ensure_suffix'] as const
export const plainTextModes = ['trim_space', 'to_lower', 'to_upper'] as const
export const compareModes = ['full', 'prefix', 'suffix', 'contains', 'gt', 'gte', 'lt', 'lte'] as const

export type TextMode = (typeof textModes)[number]
export type PlainTextMode = (typeof plainTextModes)[number]
export type CompareMode = (typeof compareModes)[number]

/** One thing to do to a request before it goes to the upstream of a channel. */
export type Operation = Act & { readonly when?: Conditions | undefined }

export type Act =
  | { readonly mode: 'set'; readonly path: Path; readonly value: unknown; readonly keeps: boolean }
  | { readonly mode: 'delete'; readonly path: Path }
  | { readonly mode: 'move' | 'copy'; readonly from: Path; readonly to: Path; readonly keeps: boolean }
  | {
      readonly mode: 'append' | 'prepend'
      readonly path: Path
      readonly value: unknown
      readonly keeps: boolean
    }
  | { readonly mode: TextMode; readonly path: Path; readonly text: string }
  | { readonly mode: PlainTextMode; readonly path: Path }
  | { readonly mode: 'replace'; readonly path: Path; readonly from: string; readonly to: string }
  | { readonly mode: 'regex_replace'; readonly path: Path; readonly from: Pattern; readonly to: string }
  | {
      readonly mode: 'prune_objects'
      readonly path: Path
      /** What an entry of a list has to have to be taken out. */
      readonly having: readonly (readonly [string, unknown])[]
    }
  | {
      readonly mode: 'return_error'
      readonly status: number
      readonly message: string
      readonly code: string | undefined
      readonly type: string | undefined
    }
  | {
      readonly mode: 'set_header'
      readonly name: HeaderName
      readonly value: string
      readonly keeps: boolean
    }
  | { readonly mode: 'delete_header'; readonly name: HeaderName }
  | {
      readonly mode: 'copy_header' | 'move_header'
      readonly from: HeaderName
      readonly to: HeaderName
      readonly keeps: boolean
    }
  | { readonly mode: 'pass_headers'; readonly names: readonly HeaderName[]; readonly keeps: boolean }

export interface Conditions {
  /** Whether all of them have to hold, or one is enough. */
  readonly all: boolean
  readonly each: readonly Condition[]
}

export interface Condition {
  /** `model` is what the upstream is asked for, `original_model` what the client has. */
  readonly path: Path
  readonly mode: CompareMode
  readonly value: unknown
  readonly inverted: boolean
  /** Whether it holds where there is nothing to look at. */
  readonly holdsWithout: boolean
}
