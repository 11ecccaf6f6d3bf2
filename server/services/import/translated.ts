/** What a channel of an older tool is here: its type, and fields that are written otherwise. */
export interface Translated {
  readonly type: number
  readonly key?: string | undefined
  readonly other?: string | undefined
  readonly baseUrl?: string | undefined
}
