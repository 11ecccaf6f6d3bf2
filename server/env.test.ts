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

  test('knows whether the runtime lets a debugger in', () => {
    const inspected = (source: Record<string, string | undefined>) => readEnv(source).isInspected
    expect([{}, { BUN_INSPECT: ' ' }, { BUN_OPTIONS: '--smol' }].map(inspected)).toEqual([
      false,
      false,
      false,
    ])
    expect(
      [{ BUN_INSPECT: 'ws://localhost:6499/' }, { BUN_OPTIONS: '--inspect-wait' }].map(inspected),
    ).toEqual([true, true])
  })

  test('takes the three engines', () => {
    expect(readEnv({ DATABASE_URL: 'sqlite:/var/x.db' }).database).toEqual({
      engine: 'sqlite',
      target: '/var/x.db',
    })
    expect(readEnv({ DATABASE_URL: 'sqlite:///var/x.db' }).database.target).toBe('/var/x.db')
    expect(readEnv({ DATABASE_URL: 'sqlite:////var/x.db' }).database.target).toBe('/var/x.db')
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
    [{ DATABASE_URL: 'sqlite://x.db' }, 'DATABASE_URL must be'],
    [{ DATABASE_URL: 'sqlite::memory:' }, 'DATABASE_URL must be'],
    [{ DATABASE_URL: 'postgres://u:100%@h/d' }, 'written %23 %2F %3F %40 %25'],
    [{ DATABASE_URL: 'postgres://u:a#b@h/d' }, 'written %23 %2F %3F %40 %25'],
    [{ REDIS_URL: 'http://x' }, 'REDIS_URL must be redis://'],
    [{ REDIS_URL: 'redis://' }, 'REDIS_URL must be redis://'],
    [{ REDIS_URL: 'redis://h/sessions' }, 'REDIS_URL must be redis://'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must be at least 32'],
    [{ SECRET_KEY: 'a'.repeat(64) }, 'SECRET_KEY must be random'],
    [{ SECRET_KEY: `random_string-${'q8Zx'.repeat(10)}` }, 'SECRET_KEY must be random'],
    [{ ROOT_PASSWORD: '123456' }, 'ROOT_PASSWORD must be 8 to 20'],
    [{ TRUSTED_PROXIES: '10.0.0.0/8,proxy' }, 'TRUSTED_PROXIES must be'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES must be'],
    [{ TRUSTED_PROXIES: '10.0.0.0/8/16' }, 'TRUSTED_PROXIES must be'],
    [{ GENERATE_DEFAULT_TOKEN: 'yes' }, 'GENERATE_DEFAULT_TOKEN must be true or false'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of debug, info, warn, error'],
  ])('refuses %p', (source, expected) => {
    expect(problems(source as Record<string, string>)).toContain(expected)
  })

  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }

  test('names no collector of spans unless it is wanted', () => {
    expect(readEnv({}).otel).toBeUndefined()
    // What platforms put into every container means nothing by itself.
    expect(readEnv({ OTEL_SERVICE_NAME: 'x', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).otel).toBeUndefined()
    for (const off of [
      { OTEL_SDK_DISABLED: 'TRUE', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      { OTEL_TRACES_EXPORTER: 'none' },
      { OTEL_TRACES_SAMPLER: 'always_off' },
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
    ])
      expect(readEnv({ ...collector, ...off }).otel).toBeUndefined()
    expect(readEnv(collector).otel).toEqual({
      url: 'http://localhost:4318/v1/traces',
      headers: {},
      serviceName: 'tollgate',
      attributes: {},
      sampling: { ratio: 1, byParent: true },
    })
  })

  test('reads the variables of OpenTelemetry', () => {
    const { otel } = readEnv({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://host/base/',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi , x-one = 1,',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-one=2',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=mine,service.namespace=a%2Cb',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    })
    expect(otel).toEqual({
      url: 'https://host/base/v1/traces',
      headers: { authorization: 'Basic YTpi', 'x-one': '2' },
      serviceName: 'mine',
      attributes: { 'service.namespace': 'a,b' },
      sampling: { ratio: 0.1, byParent: true },
    })
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other/path?x=1', OTEL_SERVICE_NAME: 'named' }
    expect(readEnv({ ...collector, ...own }).otel).toMatchObject({
      url: 'http://other/path?x=1',
      serviceName: 'named',
    })
  })

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be http://'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '/v1' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be http://'],
    [{ ...collector, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json'],
    [
      { ...collector, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' },
      'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL must be http/json',
    ],
    [
      { ...collector, OTEL_EXPORTER_OTLP_HEADERS: 'hunter2' },
      'OTEL_EXPORTER_OTLP_HEADERS must be name=value',
    ],
    [
      { ...collector, OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=hunter2%' },
      'OTEL_EXPORTER_OTLP_TRACES_HEADERS must be name=value',
    ],
    [
      { ...collector, OTEL_EXPORTER_OTLP_HEADERS: 'a b=hunter2' },
      'OTEL_EXPORTER_OTLP_HEADERS must hold names',
    ],
    [
      { ...collector, OTEL_EXPORTER_OTLP_HEADERS: 'a=hunter2%0A' },
      'OTEL_EXPORTER_OTLP_HEADERS must hold names',
    ],
    [{ ...collector, OTEL_RESOURCE_ATTRIBUTES: 'hunter2' }, 'OTEL_RESOURCE_ATTRIBUTES must be name=value'],
    [{ ...collector, OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER must be otlp or none'],
    [{ ...collector, OTEL_TRACES_SAMPLER: 'jaeger_remote' }, 'OTEL_TRACES_SAMPLER must be always_on'],
    [
      { ...collector, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '10%' },
      'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1',
    ],
    [{ OTEL_SDK_DISABLED: 'yes' }, 'OTEL_SDK_DISABLED must be true or false'],
  ])('refuses %p', (source, expected) => {
    const told = problems(source as Record<string, string>)
    expect(told).toContain(expected)
    expect(told).not.toContain('hunter2')
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
