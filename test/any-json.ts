/** What came back as JSON: tests look into it field by field, and a field that is not there fails the test. */
// biome-ignore lint/suspicious/noExplicitAny: every answer has another shape, which the test's expectations state
export type AnyJson = any
