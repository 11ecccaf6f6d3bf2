/** Also what Google's models elsewhere start with. */
export const geminiModels = [
  'gemini-4-argon',
  'gemini-3.8-flash',
  'gemini-3.6-flash',
  'gemini-3.5-flash-lite',
  'gemini-3.1-pro-preview',
  'gemini-2.5-pro',
  'gemini-2.5-flash',
  'gemini-3.1-flash-image',
  'gemini-3-pro-image',
  'gemini-embedding-2',
  'gemini-embedding-001',
] as const
