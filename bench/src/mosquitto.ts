import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BoardLogin } from './fleet-messages.ts'

/** A broker in a process of its own that can be killed. */
export interface KillableBroker {
  url: string
  kill(): Promise<void>
  start(): Promise<void>
}

/** Debian keeps it where only root's path leads. */
const programs = [
  '/usr/sbin/mosquitto',
  '/usr/bin/mosquitto',
  '/usr/local/sbin/mosquitto',
  '/opt/homebrew/sbin/mosquitto',
]

/** Where Mosquitto is on this machine, if it is. */
export const findMosquitto = (): string | undefined => programs.find((program) => fs.existsSync(program))

/** The settings and the list of docs/device-protocol.md, on one listener. */
function writeSettings(
  folder: string,
  port: number,
  logins: readonly (BoardLogin & { sid: string })[],
): string {
  const file = (name: string) => path.join(folder, name)
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(file('passwords'), logins.map(({ sid, password }) => `${sid}:${password}\n`).join(''), {
    mode: 0o600,
  })
  execFileSync('mosquitto_passwd', ['-U', file('passwords')])
  const own = ['birth', 'status', 'ack', 'event', 'log'].map(
    (channel) => `pattern write v1/devices/%u/${channel}`,
  )
  fs.writeFileSync(
    file('acl'),
    [
      'user gateway',
      'topic readwrite v1/devices/#',
      '',
      ...own,
      'pattern read v1/devices/%u/command',
      '',
    ].join('\n'),
    { mode: 0o600 },
  )
  const settings = [
    ...(process.getuid?.() === 0 ? ['user root'] : []),
    'allow_anonymous false',
    `password_file ${file('passwords')}`,
    `acl_file ${file('acl')}`,
    'message_size_limit 4096',
    'max_packet_size 8192',
    'max_inflight_messages 1000',
    'max_queued_messages 100000',
    'persistent_client_expiration 1h',
    `listener ${port} 127.0.0.1`,
  ]
  fs.writeFileSync(file('mosquitto.conf'), `${settings.join('\n')}\n`)
  return file('mosquitto.conf')
}

/** Mosquitto with a password for each board and for the gateways; what it kept in memory is gone when it is killed. */
export async function startMosquitto(
  program: string,
  folder: string,
  port: number,
  logins: readonly BoardLogin[],
): Promise<KillableBroker> {
  const settings = writeSettings(folder, port, logins)
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn(program, ['-c', settings], { stdio: 'ignore' })
    for (let tries = 0; tries < 200; tries++) {
      if (child.exitCode !== null) throw new Error(`Mosquitto ended with ${child.exitCode}`)
      if (await answers(port)) return
      await sleep(50)
    }
    throw new Error('Mosquitto did not start')
  }
  await start()
  return {
    url: `mqtt://127.0.0.1:${port}`,
    start,
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.connect({ host: '127.0.0.1', port })
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
}
