import { describe, expect, test } from 'bun:test'
import { describeDatabase, type EnvError, readEnv } from './env.ts'

const problems = (source: Record<string, string>): string => {
  try {
    readEnv(source)
    return ''
  } catch (error) {
    return (error as EnvError).problems.join('\n')
  }
}

describe('the environment', () => {
  test('has a default for everything', () => {
    const env = readEnv({})
    expect(env).toMatchObject({
      port: 3000,
      host: '0.0.0.0',
      workers: 1,
      logLevel: 'info',
      trustedProxies: [],
      generateDefaultToken: false,
    })
    expect(env.database.engine).toBe('sqlite')
    expect(env.database.target).toEndWith('/data/tollgate.db')
    expect(env.secretKey).toBeUndefined()
  })

  test.each([
    [{}, 12],
    [{ WORKERS: '4' }, 10],
    [{ WORKERS: '8' }, 5],
    [{ WORKERS: '32' }, 4],
    [{ WORKERS: '3', DATABASE_CONNECTIONS: '50' }, 16],
  ])('shares the connections among the workers: %p', (source, each) => {
    expect(readEnv(source as Record<string, string>).connectionsEach).toBe(each)
  })

  test('takes the three engines', () => {
    expect(readEnv({ DATABASE_URL: 'sqlite:/var/x.db' }).database).toEqual({
      engine: 'sqlite',
      target: '/var/x.db',
    })
    expect(readEnv({ DATABASE_URL: 'sqlite:///var/x.db' }).database.target).toBe('/var/x.db')
    expect(readEnv({ DATABASE_URL: 'sqlite:x.db', DATA_DIR: '/d' }).database.target).toBe('/d/x.db')
    expect(readEnv({ DATABASE_URL: 'postgres://u:p@h/d' }).database.engine).toBe('postgres')
    expect(readEnv({ DATABASE_URL: 'postgresql://u:p@h/d' }).database.engine).toBe('postgres')
    expect(readEnv({ DATABASE_URL: 'mariadb://u:p@h/d' }).database.target).toBe('mysql://u:p@h/d')
  })

  test.each([
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '3e3' }, 'PORT must be'],
    [{ HOST: 'a b' }, 'HOST must be'],
    [{ WORKERS: '0' }, 'WORKERS must be a whole number from 1 to 256'],
    [{ SHUTDOWN_DELAY: '61' }, 'SHUTDOWN_DELAY must be a whole number from 0 to 60'],
    [
      { WORKERS: '3', DATABASE_CONNECTIONS: '11' },
      'DATABASE_CONNECTIONS must be at least 12, 4 for each of the WORKERS, not "11"',
    ],
    [{ DATABASE_URL: 'oracle://x/y' }, 'DATABASE_URL must be sqlite:'],
    [{ DATABASE_URL: 'postgres://host' }, 'DATABASE_URL must be'],
    [{ DATABASE_URL: 'sqlite:' }, 'DATABASE_URL must be'],
    [{ REDIS_URL: 'http://x' }, 'REDIS_URL must be redis://'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must be at least 32'],
    [{ SECRET_KEY: 'a'.repeat(64) }, 'SECRET_KEY must be random'],
    [{ SECRET_KEY: `random_string-${'q8Zx'.repeat(10)}` }, 'SECRET_KEY must be random'],
    [{ ROOT_PASSWORD: '123456' }, 'ROOT_PASSWORD must be 8 to 20'],
    [{ TRUSTED_PROXIES: '10.0.0.0/8,proxy' }, 'TRUSTED_PROXIES must be'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES must be'],
    [{ GENERATE_DEFAULT_TOKEN: 'yes' }, 'GENERATE_DEFAULT_TOKEN must be true or false'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of debug, info, warn, error'],
  ])('refuses %p', (source, expected) => {
    expect(problems(source as Record<string, string>)).toContain(expected)
  })

  test('tells everything that is wrong at once, and never repeats a secret', () => {
    const told = problems({ PORT: 'x', WORKERS: 'y', SECRET_KEY: 'hunter2' })
    expect(told.split('\n')).toHaveLength(3)
    expect(told).not.toContain('hunter2')
  })

  test('describes a database without its password', () => {
    const { database } = readEnv({ DATABASE_URL: 'postgres://u:hunter2@db:5432/gate' })
    expect(describeDatabase({ database })).toBe('PostgreSQL db:5432/gate')
  })
})
