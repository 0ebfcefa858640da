import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { settings } from './settings.ts'

const needed = {
  DATABASE_URL: 'postgres://app:secret@db.example.com:5432/chairside',
  SECRET_KEY: 'k'.repeat(32),
  PUBLIC_URL: 'https://chairs.example.com',
}

/** The lines of the refusal after its heading. */
function problemsOf(environment: Record<string, string | undefined>): string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n  ').slice(1)
    throw error
  }
  return []
}

describe('the settings', () => {
  it('have a default for all but the database, the key and the public address', () => {
    const config = readConfig(needed)
    expect(config).toMatchObject({ databaseUrl: needed.DATABASE_URL, secretKey: needed.SECRET_KEY })
    expect(config).toMatchObject({ port: 8080, mqttPort: 1883, mqttUrl: '', timeZone: 'Asia/Shanghai' })
    expect(config).toMatchObject({ roles: ['web', 'gateway', 'worker'], trustProxy: false, logLevel: 'info' })
  })

  it('name everything that is missing at once', () => {
    expect(problemsOf({})).toEqual([
      expect.stringMatching(/^DATABASE_URL is missing\. PostgreSQL 15/),
      expect.stringMatching(/^SECRET_KEY is missing\. /),
      expect.stringMatching(/^PUBLIC_URL is missing\. /),
    ])
  })

  it('take an empty value for none', () => {
    expect(problemsOf({ ...needed, SECRET_KEY: '' })).toEqual([
      expect.stringContaining('SECRET_KEY is missing'),
    ])
    expect(readConfig({ ...needed, PORT: '', TRUST_PROXY: '' })).toMatchObject({
      port: 8080,
      trustProxy: false,
    })
  })

  it.each([
    ['DATABASE_URL', 'mysql://db.example.com/chairside'],
    ['SECRET_KEY', 'too short'],
    ['PUBLIC_URL', 'chairs.example.com'],
    ['PUBLIC_URL', 'ftp://chairs.example.com'],
    ['PUBLIC_URL', 'https://chairs.example.com/pay'],
    ['PUBLIC_URL', 'https://chairs.example.com/?from=sticker'],
    ['MQTT_URL', 'https://broker.example.com'],
    ['MQTT_URL', 'mqtt://gateway:hunter2@broker.example.com'],
    ['MQTT_URL', 'mqtt://broker.example.com/boards'],
    ['S3_BUCKET_URL', 'https://id:key@pictures.example.com'],
    ['S3_BUCKET_URL', 'https://pictures.example.com?region=eu'],
    ['PORT', '65536'],
    ['PORT', 'eighty'],
    ['MQTT_PORT', '-1'],
    ['ROLES', 'web,postman'],
    ['ROLES', ','],
    ['TIME_ZONE', 'Asia/Shangai'],
    ['COMPANY_NAME', 'n'.repeat(61)],
    ['DATABASE_CONNECTIONS', '4'],
    ['SESSION_IDLE_SECONDS', '59'],
    ['SESSION_IDLE_SECONDS', '2592001'],
    ['CALLS_PER_MINUTE', '59'],
    ['CALLS_PER_MINUTE', '600.5'],
    ['TRUST_PROXY', 'yes'],
    ['PAYMENT_WINDOW_SECONDS', '-300'],
    ['PAYMENT_WINDOW_SECONDS', '60'],
    ['PAYMENT_WINDOW_SECONDS', '89'],
    ['PAYMENT_WINDOW_SECONDS', '3601'],
    ['START_ACK_SECONDS', 'soon'],
    ['START_ACK_SECONDS', '0.5'],
    ['START_ACK_SECONDS', '181'],
    ['HEALTH_PORT', '-1'],
    ['ALERT_OFFLINE_MINUTES', '0'],
    ['ALERT_SETTLE_MINUTES', '1441'],
    ['WEBHOOKS_TO_PRIVATE_ADDRESSES', 'yes'],
    ['WECOM_URL', 'qyapi.weixin.qq.com'],
    ['FEISHU_URL', 'https://open.feishu.cn/open-apis'],
    ['LOG_LEVEL', 'loud'],
  ])('refuse %s=%s by its name and say what it is for', (name, value) => {
    const { about } = settings[name as keyof typeof settings]
    const problems = problemsOf({ ...needed, [name]: value })
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} is wrong \\(.+\\)\\. `))])
    expect(problems[0]).toContain(about)
  })

  it('refuse one port for two parts of the process', () => {
    expect(problemsOf({ ...needed, PORT: '1883' })).toEqual([
      'MQTT_PORT and PORT are both 1883; each needs a port of its own.',
    ])
    expect(problemsOf({ ...needed, HEALTH_PORT: '8080' })).toEqual([
      'HEALTH_PORT and PORT are both 8080; each needs a port of its own.',
    ])
    for (const apart of [
      { ROLES: 'worker', HEALTH_PORT: '8080' },
      { PORT: '1883', MQTT_URL: 'mqtt://broker.example.com' },
      { PORT: '1883', HOST: '127.0.0.1', MQTT_HOST: '10.0.0.7' },
      { PORT: '0', MQTT_PORT: '0' },
    ])
      expect(problemsOf({ ...needed, ...apart }), JSON.stringify(apart)).toEqual([])
  })

  it('refuse half of what a bucket needs, which would keep pictures somewhere else', () => {
    const bucket = {
      S3_BUCKET_URL: 'https://pictures.example.com',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'a key',
    }
    expect(problemsOf({ ...needed, ...bucket })).toEqual([])
    for (const name of Object.keys(bucket)) {
      const given = Object.keys(bucket).find((other) => other !== name)
      expect(problemsOf({ ...needed, ...bucket, [name]: '' })).toEqual([
        expect.stringContaining(`${name} is missing, but ${given} is set. `),
      ])
    }
  })

  it('take a mail server only with a sender, and a sender only with a mail server', () => {
    const mail = { SMTP_URL: 'smtp://app:hunter2@mail.example.com:587', MAIL_FROM: 'alerts@example.com' }
    expect(readConfig({ ...needed, ...mail }).mail).toEqual({ url: mail.SMTP_URL, from: mail.MAIL_FROM })
    expect(readConfig(needed).mail).toBeUndefined()
    expect(problemsOf({ ...needed, ...mail, MAIL_FROM: '' })).toEqual([
      expect.stringMatching(/^MAIL_FROM is missing, but SMTP_URL is set\. /),
    ])
    expect(problemsOf({ ...needed, ...mail, SMTP_URL: '' })).toEqual([
      expect.stringMatching(/^SMTP_URL is missing, but MAIL_FROM is set\. /),
    ])
    const named = { ...mail, MAIL_FROM: '按摩椅 <alerts@example.com>' }
    expect(problemsOf({ ...needed, ...named })).toEqual([])
    for (const from of [
      'alerts',
      'alerts@a@b',
      '<alerts@example.com',
      'A\nBcc: x@example.com <a@example.com>',
    ])
      expect(problemsOf({ ...needed, ...mail, MAIL_FROM: from }), from).toHaveLength(1)
    expect(problemsOf({ ...needed, ...mail, SMTP_URL: 'https://app:hunter2@mail.example.com' })).toEqual([
      expect.stringMatching(/^SMTP_URL is wrong /),
    ])
  })

  it('never repeat the value of a wrong one, which may be a secret', () => {
    expect(problemsOf({ ...needed, SECRET_KEY: 'hunter2' }).join()).not.toContain('hunter2')
    const url = 'mysql://app:hunter2@db.example.com/chairside'
    expect(problemsOf({ ...needed, DATABASE_URL: url }).join()).not.toContain('hunter2')
  })

  it('ask about a name that is almost one of ours', () => {
    const misspelt = {
      MQTTURL: 'mqtt://broker.example.com',
      log_level: 'debug',
      PAYMENT_WINDOW_SECOND: '60',
      TRUST_PROXI: 'true',
    }
    expect(problemsOf({ ...needed, ...misspelt })).toEqual([
      'MQTTURL: did you mean MQTT_URL?',
      'log_level: did you mean LOG_LEVEL?',
      'PAYMENT_WINDOW_SECOND: did you mean PAYMENT_WINDOW_SECONDS?',
      'TRUST_PROXI: did you mean TRUST_PROXY?',
    ])
  })

  it('leave the rest of the environment alone', () => {
    expect(problemsOf({ ...needed, PATH: '/usr/bin', HOME: '/home/operator', LANG: 'C.UTF-8' })).toEqual([])
  })

  it('read lists, numbers and addresses as what they are', () => {
    const config = readConfig({
      ...needed,
      ROLES: 'web, worker',
      DATABASE_CONNECTIONS: '50',
      TRUST_PROXY: 'true',
      PUBLIC_URL: 'https://chairs.example.com//',
    })
    expect(config).toMatchObject({ roles: ['web', 'worker'], databaseConnections: 50, trustProxy: 1 })
    expect(readConfig({ ...needed, TRUST_PROXY: '2' }).trustProxy).toBe(2)
    expect(config.publicUrl).toBe('https://chairs.example.com')
  })

  it('are described in docs/settings.md as they are, and in Chinese', () => {
    const root = path.join(import.meta.dirname, '../..')
    const check = spawnSync(process.execPath, ['scripts/print-settings.mjs', '--check'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(check).toMatchObject({ stderr: '', status: 0 })
  })
})
