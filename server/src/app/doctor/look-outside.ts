import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import tls from 'node:tls'
import { connectAsync } from 'mqtt'
import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import { createDeviceCredentials } from '../../devices/device-credentials.ts'
import { gatewayClientId, gatewayUsername } from '../../devices/gateway/broker-access.ts'
import { createSecretBox } from '../../kit/secrets.ts'
import { openPictureStore } from '../picture-files.ts'
import { bad, fine, poor, reasonOf, type Finding } from './finding.ts'

const patienceMs = 8000
const dayMs = 86_400_000
const fewDays = 21

const ask = (url: string) => fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })

/** How long the certificate of a place is good. */
async function lookAtCertificate(part: string, host: string, port: number): Promise<Finding> {
  const validTo = await new Promise<Date>((resolve, reject) => {
    const socket = tls.connect({ host, port, servername: host, timeout: patienceMs }, () => {
      const { valid_to: end } = socket.getPeerCertificate()
      socket.destroy()
      resolve(new Date(end))
    })
    socket.once('timeout', () => socket.destroy(new Error('no answer in time')))
    socket.once('error', reject)
  })
  const days = Math.floor((validTo.getTime() - Date.now()) / dayMs)
  return days < fewDays
    ? poor(part, `It ends in ${days} days: is it renewed?`)
    : fine(part, `good for ${days} days`)
}

const localNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** The address that customers and providers use, as they would find it. */
export async function lookAtPublicAddress({ publicUrl }: Config): Promise<Finding[]> {
  const part = 'public address'
  const { protocol, hostname, port } = new URL(publicUrl)
  const findings: Finding[] = []
  try {
    const answer = await ask(`${publicUrl}/healthz`)
    const isOurs = answer.status === 200 && /"status":\s*"ok"/.test(await answer.text())
    findings.push(
      isOurs
        ? fine(part, `${publicUrl} leads here`)
        : bad(part, `${publicUrl}/healthz does not lead here: it answers ${answer.status}.`),
    )
    if (localNames.has(hostname)) return findings
    if (protocol === 'http:') findings.push(bad(part, 'It is not https: WeChat Pay takes no other.'))
    const metrics = await ask(`${publicUrl}/metrics`)
    if (metrics.status === 200)
      findings.push(poor(part, '/metrics is open to everybody; close it at the proxy.'))
    await metrics.body?.cancel()
  } catch (error) {
    findings.push(bad(part, `${publicUrl} cannot be reached: ${reasonOf(error)}`))
  }
  if (protocol === 'https:')
    findings.push(
      await lookAtCertificate('certificate', hostname.replaceAll(/[[\]]/g, ''), Number(port || 443)).catch(
        (error: unknown) => bad('certificate', reasonOf(error)),
      ),
    )
  return findings
}

const reachable = (host: string) => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host)

/** The server on this machine; there may be none. */
export async function lookAtServerHere({ host, port, healthPort, roles }: Config): Promise<Finding> {
  const part = 'server'
  if (!roles.includes('web') && healthPort === undefined)
    return fine(part, 'a process with these roles has no address without HEALTH_PORT')
  const url = `http://${reachable(host)}:${healthPort ?? port}`
  try {
    const answer = await ask(`${url}/readyz`)
    const { parts = {} } = (await answer.json()) as { parts?: Record<string, string> }
    const away = Object.entries(parts).flatMap(([name, state]) => (state === 'ok' ? [] : [name]))
    if (answer.status !== 200) return bad(part, `${url} is without: ${away.join(', ')}`)
    return away.length > 0
      ? poor(part, `${url} is ready, but without: ${away.join(', ')}`)
      : fine(part, `${url} is ready`)
  } catch (error) {
    return poor(part, `None answers at ${url} (${reasonOf(error)}); does it run elsewhere?`)
  }
}

/** The broker, as a gateway signs in to it, under a name that takes no gateway's place. */
export async function lookAtBroker(config: Config, hasKey: boolean): Promise<Finding[]> {
  const part = 'broker'
  const url = config.mqttUrl || `mqtt://${reachable(config.mqttHost)}:${config.mqttPort}`
  const findings: Finding[] = []
  try {
    const client = await connectAsync(
      url,
      {
        clientId: gatewayClientId(`doctor-${randomBytes(4).toString('hex')}`),
        username: gatewayUsername,
        password: hasKey ? createDeviceCredentials(createSecretBox(config.secretKey)).gatewayPassword : '',
        protocolVersion: 4,
        reconnectPeriod: 0,
        connectTimeout: patienceMs,
      },
      // Else one that hangs up without a word, as a balancer with nothing behind it does, would never be heard of again.
      false,
    )
    await client.endAsync()
    findings.push(fine(part, `${url} takes our gateway`))
  } catch (error) {
    const isRefused = /not authorized|bad user/i.test(reasonOf(error))
    if (isRefused)
      findings.push(
        hasKey
          ? bad(part, `${url} refuses the gateway: give it the password of \`npm run broker:password\`.`)
          : poor(part, `${url} is there; SECRET_KEY is not set, so the gateway did not sign in.`),
      )
    else
      findings.push(
        (config.mqttUrl ? bad : poor)(
          part,
          `${url} cannot be reached (${reasonOf(error)})${config.mqttUrl ? '' : '; it is where a process with the role gateway runs'}.`,
        ),
      )
  }
  const { protocol, hostname, port } = new URL(url)
  if (protocol === 'mqtts:')
    findings.push(
      await lookAtCertificate('certificate of the broker', hostname, Number(port || 8883)).catch(
        (error: unknown) => bad('certificate of the broker', reasonOf(error)),
      ),
    )
  return findings
}

/** The mail server, as notifications sign in to it; none is sent. */
export async function lookAtMail({ mail }: Config): Promise<Finding[]> {
  if (!mail) return []
  const { host } = new URL(mail.url)
  const transport = createTransport({
    url: mail.url,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
  })
  try {
    await transport.verify()
    return [fine('mail', `${host} takes our login`)]
  } catch (error) {
    return [bad('mail', `${host} does not: ${reasonOf(error)}`)]
  } finally {
    transport.close()
  }
}

const leastBytes = 500 * 1024 * 1024
const fewBytes = 5 * 1024 ** 3

/** Room where this machine keeps files; the disk of a database elsewhere is to be watched there. */
export async function lookAtDisk({ dataDirectory, s3 }: Config, isDemo: boolean): Promise<Finding> {
  const part = 'disk'
  if (s3 && !isDemo) return fine(part, 'nothing is kept on this machine')
  let folder = path.resolve(dataDirectory)
  while (!fs.existsSync(folder)) folder = path.dirname(folder)
  const { bavail, bsize, blocks } = fs.statfsSync(folder)
  const free = bavail * bsize
  const words = `${(free / 1024 ** 3).toFixed(1)} GB of ${((blocks * bsize) / 1024 ** 3).toFixed(0)} GB are free at ${folder}`
  if (free < leastBytes) return bad(part, `${words}.`)
  return free < fewBytes ? poor(part, `${words}.`) : fine(part, words)
}

/** Keeps a file where pictures are kept, reads it and takes it away. */
export async function lookAtPictures(config: Config): Promise<Finding> {
  const folder = path.resolve(config.dataDirectory, 'pictures')
  // Made by the user who runs this, it might be closed to the server, which runs as another one.
  if (!config.s3 && !fs.existsSync(folder)) return fine('pictures', `none is kept yet at ${folder}`)
  const store = openPictureStore(config)
  const key = `doctor-${randomBytes(8).toString('hex')}.png`
  const bytes = randomBytes(64)
  await store.put(key, bytes, 'image/png')
  const kept = await store.get(key)
  await store.remove(key)
  const place = config.s3?.bucketUrl ?? folder
  return kept && bytes.equals(kept)
    ? fine('pictures', `are kept at ${place}`)
    : bad('pictures', `What is kept at ${place} does not come back.`)
}
