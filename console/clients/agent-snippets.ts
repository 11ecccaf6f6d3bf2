// How programs that bring their own settings are told to come here. Keys are put in when these are copied.

export const agents = ['claude', 'codex', 'gemini', 'cherry', 'chatbox', 'cline', 'cursor', 'openai'] as const
export type Agent = (typeof agents)[number]

export const agentNames: Record<Agent, string> = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  cherry: 'Cherry Studio',
  chatbox: 'Chatbox',
  cline: 'Cline',
  cursor: 'Cursor',
  openai: 'OpenAI SDK',
}

type Told = Readonly<Record<string, string>>

/** Variables for a shell, the file that the program reads, or what stands in its own form. */
export function agentSnippet(agent: Agent, address: string, key: string, model: string): string {
  const base = address.replace(/\/+$/, '')
  if (agent === 'codex') return codexFile(base, key, model)
  const variables: Partial<Record<Agent, Told>> = {
    claude: {
      ANTHROPIC_BASE_URL: base,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    },
    gemini: { GOOGLE_GEMINI_BASE_URL: base, GEMINI_API_KEY: key, GEMINI_MODEL: model },
    openai: { OPENAI_BASE_URL: `${base}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: model },
  }
  const forms: Partial<Record<Agent, Told>> = {
    // It adds the version by itself.
    cherry: { 'API Host': base, 'API Key': key, Model: model },
    chatbox: { 'API Host': base, 'API Path': '/v1/chat/completions', 'API Key': key, Model: model },
    cline: {
      'API Provider': 'OpenAI Compatible',
      'Base URL': `${base}/v1`,
      'API Key': key,
      'Model ID': model,
    },
    cursor: { 'OpenAI API Key': key, 'Override OpenAI Base URL': `${base}/v1`, 'Custom model': model },
  }
  return [
    ...Object.entries(variables[agent] ?? {}).map(([name, value]) => `export ${name}=${quoted(value)}`),
    ...Object.entries(forms[agent] ?? {}).map(([name, value]) => `${name}: ${value}`),
  ].join('\n')
}

/** It takes the key from the environment only. */
function codexFile(base: string, key: string, model: string): string {
  return [
    `# export TOLLGATE_KEY=${quoted(key)}`,
    '# ~/.codex/config.toml',
    `model = ${JSON.stringify(model)}`,
    'model_provider = "tollgate"',
    '',
    '[model_providers.tollgate]',
    'name = "Tollgate"',
    `base_url = ${JSON.stringify(`${base}/v1`)}`,
    'env_key = "TOLLGATE_KEY"',
    'wire_api = "responses"',
  ].join('\n')
}

/** What a shell would read as more than a word is put in quotes. */
function quoted(value: string): string {
  return /^[\w@%+=:,./•-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}
