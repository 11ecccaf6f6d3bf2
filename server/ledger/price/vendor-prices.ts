/**
 * Vendors' list prices in dollars per million tokens, as of November 2026. What is asked for a while only, or
 * at quiet hours, is not listed: the price is the one after it, so that nobody pays less than the vendor asks.
 */
export interface TokenPrice {
  readonly in: number
  readonly out?: number
  /** Input read from the upstream's cache, and input written to it for some minutes. */
  readonly cached?: number
  readonly written?: number
  readonly audioIn?: number
  readonly audioOut?: number
  /** Images in the input. Output of image models is images: `out` is their price. */
  readonly image?: number
  /** Input and output of requests whose input is longer than `longFrom`, or than `LONG_INPUT` where it says nothing. */
  readonly longIn?: number
  readonly longOut?: number
  readonly longFrom?: number
}

/** Tokens of input, cached or not, beyond which most vendors that do so ask more for all of the request. */
export const LONG_INPUT = 200_000

/** What one vendor asks, by the name of the model. A model has one price, whoever serves it. */
export interface VendorPrices {
  /**
   * Models that are paid by the token. Dated releases stand here only where they differ from the plain name.
   * Speech is paid by the character, each counting as one token; transcription without a token count by the
   * minute, each counting as 1,000 tokens.
   */
  readonly tokens?: Readonly<Record<string, TokenPrice>>
  /**
   * Models that are paid by the call, in dollars: one image, query, drawing or song; one second of a video, one page
   * of a document.
   */
  readonly calls?: Readonly<Record<string, number>>
}
