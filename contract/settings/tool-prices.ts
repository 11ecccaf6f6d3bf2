/**
 * What vendors ask for their own searches on the web, in dollars per 1,000: list prices as of November 2026. Keys are
 * beginnings of model names; after a colon, how much is read of what is found, where the price depends on that.
 */
export const webSearchPrices: Readonly<Record<string, number>> = {
  default: 10,
  'gpt-4o-search-preview': 25,
  'gpt-4o-mini-search-preview': 25,
  // Up to Gemini 2.5 by the prompt, since then by the query.
  gemini: 14,
  'gemini-1': 35,
  'gemini-2': 35,
  grok: 5,
  // In mainland China; in Singapore it is 10.
  qwen: 0.57,
  // OpenRouter's names, and its searches.
  'qwen/': 10,
  sonar: 5,
  'sonar:medium': 8,
  'sonar:high': 12,
  'sonar-deep-research': 5,
  'sonar-pro:low': 6,
  'sonar-pro:medium': 10,
  'sonar-pro:high': 14,
  'sonar-reasoning-pro:low': 6,
  'sonar-reasoning-pro:medium': 10,
  'sonar-reasoning-pro:high': 14,
  'perplexity/': 5,
}

/** The same for their other tools; before a colon stands the beginning of a model's name for which it is another. */
export const toolPrices: Readonly<Record<string, number>> = {
  /** A container of 1 GB, for 20 minutes. */
  code_interpreter: 30,
  file_search: 2.5,
  /** A picture whose tokens the vendor does not tell: the dearest of gpt-image-1. */
  image_generation: 250,
  /** An hour of a container is 0.05 dollars, and no less than 5 minutes are charged. */
  code_execution: 4.17,
  /** A page of a document that is described besides being read, on top of the page. */
  ocr_annotation: 1,
  'mistral-ocr-2503:ocr_annotation': 2,
  'mistral-ocr-2505:ocr_annotation': 2,
  /** Without thoughts; with them it costs what any search does. */
  'gpt-4o:web_search_preview': 25,
  'gpt-4.1:web_search_preview': 25,
  'grok:code_interpreter': 5,
  'grok:image_generation': 70,
  'grok:attachment_search': 10,
  /** A thousand tokens of a context cache for an hour. */
  'gemini-2.0-flash:cache_storage': 1,
  'gemini-2.5-flash:cache_storage': 1,
  'gemini-2.5-pro:cache_storage': 4.5,
  'gemini-3-flash:cache_storage': 1,
  'gemini-3-pro:cache_storage': 4.5,
  'gemini-3.1-flash-lite:cache_storage': 1,
  'gemini-3.1-pro:cache_storage': 4.5,
  'kimi:$web_search': 5,
  'moonshot:$web_search': 5,
}
